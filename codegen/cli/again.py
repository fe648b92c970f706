"""Compile the modules anew that changed, or that depend on one that did.

    again = Again(record.place_of(root, out), record.seed_of(options), out, found)
    again.compile(project)      # as `compile_sources(found, project)` does
    again.remember()            # after it was written

A module is left as it is where it lies on the disk as it was made, and was made from the very texts
that it would be made from. Where there is a mistake everything is compiled: what to suggest instead
of a wrong name depends on all that there is.
"""

from __future__ import annotations

import os
from contextlib import suppress

from codegen.cli.stages import compile_sources
from codegen.files import record

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded when there is something to build
    from collections.abc import Mapping

    from codegen.cli.project import Project
    from codegen.files.known import Known
    from codegen.files.schemas import Schema
    from codegen.pipeline import Compiled
    from codegen.program.outline import Outline
    from codegen.rendered.nodes import Made


class Again:
    """What the last build left to be known of each module."""

    def __init__(self, place: str | None, seed: str, out: str, found: list[Schema]) -> None:
        self._place = place
        self._out = out
        self._found = found
        self._own = {module: record.digest(seed, data) for _, module, data in found}
        self._outlines: Mapping[str, Outline] = {}
        self._made: Mapping[str, Made] = {}

    def compile(self, project: Project) -> Compiled:
        """Return what is wrong with the schemas; if nothing is, the files that they make."""
        from codegen.files import known

        entries = known.load(self._place)
        compiled = self._some(project, entries) if entries else None
        if compiled is None:
            compiled = compile_sources(self._found, project)
            self._outlines = compiled.outlines
        self._made = compiled.made
        return compiled

    def remember(self) -> None:
        """Write down what was made of each module."""
        if self._place is None or not self._made:
            return
        from codegen.checksum import checksum
        from codegen.files import known
        from codegen.program.outline import Outlines

        fingerprints = Outlines(self._outlines).fingerprints(self._own)
        entries = {
            name: known.Known(
                own=self._own[name],
                fingerprint=fingerprints[name],
                made=checksum(one.file.text.encode()),
                outline=self._outlines[name],
                runtime=one.runtime,
            )
            for name, one in self._made.items()
        }
        known.save(self._place, entries)

    def _some(self, project: Project, entries: Mapping[str, Known]) -> Compiled | None:
        """Compile what changed; None where that cannot be told, or has mistakes."""
        from codegen import pipeline
        from codegen.files.names import misnamed
        from codegen.program.outline import Outlines

        own = self._own
        same = {name for name, one in entries.items() if own.get(name) == one.own}
        changed = [file for file in self._found if file[1] not in same]
        if misnamed(self._found, project.root):
            return None
        fresh = pipeline.outlines(changed, project.options)
        if fresh is None:
            return None
        self._outlines = {**{name: entries[name].outline for name in same}, **fresh}
        outlines = Outlines(self._outlines)
        kept = self._kept(entries, outlines.fingerprints(own))
        needed = outlines.reach(own.keys() - kept.keys())
        files = [file for file in self._found if file[1] in needed]
        compiled = pipeline.compile(files, project.options, kept)
        return None if compiled.report else compiled

    def _kept(
        self, entries: Mapping[str, Known], fingerprints: Mapping[str, str]
    ) -> dict[str, Made]:
        """The modules that lie on the disk as they would be made."""
        from codegen.checksum import checksum
        from codegen.files.read import regular
        from codegen.rendered.nodes import Made, Rendered
        from codegen.rendered.runtime import parts

        kept: dict[str, Made] = {}
        support = {*parts()}
        for name, fingerprint in fingerprints.items():
            entry = entries.get(name)
            if entry is None or entry.fingerprint != fingerprint or not support >= {*entry.runtime}:
                continue
            with suppress(OSError):
                path = f"{name.replace('.', '/')}.py"
                data = regular(os.path.join(self._out, path))
                if checksum(data) == entry.made:
                    kept[name] = Made(Rendered(path, data.decode()), entry.runtime)
        return kept
