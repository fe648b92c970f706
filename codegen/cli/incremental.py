"""Compile only the modules that a change can affect.

    build = IncrementalBuild(stamp.place_of("schemas", "generated"), seed, "generated", options)
    build.compile(found)    # what `pipeline.compile(found, options)` returns
    build.remember()        # after the files were written

Modules that name each other, directly or through others, are a group. The output of a module
depends only on the schemas of its group, the set of modules, the settings and the generator. For
each group, the cache has a checksum of all of these, and the checksums of the generated files. A
file is not generated again if it is in the output folder, unchanged. The cache does not contain the
text of files. If it is missing, damaged or of another version, everything is compiled.

If there is a mistake, everything is compiled: the suggestion for a wrong name depends on all names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from codegen import pipeline
from codegen.emit.rendered import Rendered
from codegen.options import Options
from codegen.output import manifest
from codegen.output.manifest import checksum
from codegen.output.schemas import Schema
from codegen.output.snapshot import is_there
from codegen.output.stamp import digest, keep
from codegen.output.system import native, regular
from codegen.pipeline import CompileResult, ModuleOutput
from codegen.program.graph import reachable

_BYTES_MAX = 1 << 26  # of a cache


class _CachedOutput(Struct, frozen=True):
    """The output of one module."""

    files: dict[str, str]  # the checksum of each, by path
    runtime: tuple[str, ...]


class _Entries(Struct, frozen=True):
    """The content of a cache. Every key is a checksum of the inputs."""

    related: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """For each schema the modules that it may name."""
    made: dict[str, dict[str, _CachedOutput]] = field(
        default_factory=dict[str, dict[str, _CachedOutput]]
    )
    """For each group the outputs of its modules."""


class IncrementalBuild:
    """A build of one output folder, with the cache of earlier builds."""

    def __init__(self, place: str | None, seed: str, out: str, options: Options) -> None:
        """Store the place of the last build's stamp (None if there is none), and the seed."""
        self._path = None if place is None else f"{place}.modules"
        self._seed = seed
        self._out = out
        self._options = options
        self._entries = _Entries()
        self._digests: dict[str, str] = {}

    def compile(self, schemas: Sequence[Schema]) -> CompileResult:
        """Compile the schemas. The result has the mistakes or, if there are none, the files."""
        seed = digest(self._seed, *(module for _, module, _ in schemas))
        self._digests = {module: digest(seed, module, data) for _, module, data in schemas}
        self._entries = self._load()
        result = self._compile_changed(schemas) if self._entries.made else None
        if result is None or result.report:
            result = pipeline.compile(schemas, self._options, partial(is_there, self._out))
        self._entries = self._entries_of(result)
        return result

    def remember(self) -> None:
        """Write the results of this build to the cache."""
        if self._path is not None:
            content = msgspec.json.encode(self._entries)
            keep(self._path, b"%b\n%b" % (checksum(content).encode(), content))

    def _load(self) -> _Entries:
        """Return the cache; an empty one if it cannot be read."""
        try:
            data = regular(self._path, _BYTES_MAX) if self._path else b""
            listed, _, content = data.partition(b"\n")
            if listed == checksum(content).encode():
                return msgspec.json.decode(content, type=_Entries)
        except (OSError, msgspec.DecodeError):
            pass
        return _Entries()

    def _compile_changed(self, schemas: Sequence[Schema]) -> CompileResult | None:
        """Compile the groups that are not in the cache; None if a changed schema has mistakes."""
        digests, entries = self._digests, self._entries
        changed = [file for file in schemas if digests[file[1]] not in entries.related]
        fresh = pipeline.related(changed, self._options)
        if fresh is None:
            return None
        same = {name: entries.related[digests[name]] for name in digests.keys() - fresh.keys()}
        related = {**same, **fresh}
        known: dict[str, ModuleOutput] = {}
        needed: set[str] = set()
        for key, group in self._groups(related).items():
            cached = entries.made.get(key, {})
            outputs = {name: self._output(cached[name]) for name in group if name in cached}
            known |= {name: output for name, output in outputs.items() if output is not None}
            if not known.keys() >= {*group}:
                needed.update(group)
        files = [file for file in schemas if file[1] in needed]
        result = pipeline.compile(files, self._options, partial(is_there, self._out), known)
        return replace(result, related=related)

    def _output(self, cached: _CachedOutput) -> ModuleOutput | None:
        """Return the output of a module, if all of it is in the output folder."""
        files: list[Rendered] = []
        for path, listed in cached.files.items():
            try:
                data = regular(native(self._out, path)) if manifest.can_be_made(path) else b""
            except OSError:
                return None
            if checksum(data) != listed:
                return None
            files.append(Rendered(path, data.decode()))
        return ModuleOutput(tuple(files), cached.runtime)

    def _groups(self, related: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        """Return the modules of each group, keyed by a checksum of their names and schemas."""
        neighbours: dict[str, set[str]] = {name: set() for name in related}
        for name, others in related.items():
            for other in others:
                if other in related or other.endswith(":"):
                    neighbours[name].add(other)
                    neighbours.setdefault(other, set()).add(name)
        groups: dict[str, list[str]] = {}
        done: set[str] = set()
        for name in related:
            if name not in done:
                group = reachable([name], neighbours.__getitem__)
                done.update(group)
                members = sorted(group.keys() & related.keys())
                groups[digest(*(self._digests[one] for one in members))] = members
        return groups

    def _entries_of(self, result: CompileResult) -> _Entries:
        """Return the cache content after a build; empty after one that found mistakes."""
        return _Entries(
            {self._digests[name]: modules for name, modules in result.related.items()},
            {
                key: {name: _cached_output(result.outputs[name]) for name in group}
                for key, group in self._groups(result.related).items()
            },
        )


def _cached_output(output: ModuleOutput) -> _CachedOutput:
    return _CachedOutput(
        {file.path: checksum(file.text.encode()) for file in output.files}, output.runtime
    )
