"""Run the stages of `codegen adopt` in order, and write the result.

    adopt(Wish("src/heat", "schemas", "src/heat/_generated", is_rewritten=True))
    ->  Done(0, ("heat: 12 pytree classes, ...",))

All results are computed in memory first. Then all files are written. If a write fails, all files
are restored.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from importlib.util import find_spec

from msgspec import Struct, json

from codegen import pipeline
from codegen.adopted import report
from codegen.adopted.decided.decide import Evidence
from codegen.adopted.decided.mixins import mixins, without
from codegen.adopted.decided.refusals import other_fields, refusals, with_families
from codegen.adopted.finding.find import find
from codegen.adopted.finding.modules import top_of
from codegen.adopted.finding.names import PackageNames, absolute
from codegen.adopted.finding.nodes import ClassRefusal, Found
from codegen.adopted.finding.reasons import refusal
from codegen.adopted.observed.run import Observation, observe, values_of
from codegen.adopted.observed.verify import compare
from codegen.adopted.settle import Frame, Settled, settle
from codegen.adopted.show import shown
from codegen.adopted.unsound import unsound
from codegen.adopted.written.files import (
    FileChange,
    Output,
    Work,
    ended_by_exception,
    put_back,
    write,
)
from codegen.diagnostics.suggest import did_you_mean
from codegen.options import Options, containing_package
from codegen.output.plan import plan
from codegen.output.schemas import schemas
from codegen.output.snapshot import snapshot
from codegen.output.write import overwrite

_DIFFERENT = (
    "nothing was adopted, because the two runs differ. `--leave NAME` skips a class and its family:"
)


class Wish(Struct, frozen=True):
    """The options of the command."""

    src: str
    schemas: str = ""
    out: str = ""
    report: str = ""
    command: tuple[str, ...] = ()
    """The command to observe; empty if there is none."""
    seen: str = ""
    """A file that `codegen observe` wrote, instead of a command."""
    is_rewritten: bool = False
    is_dry: bool = False
    is_observed: bool = False
    has_shapes: bool = False
    """Whether to declare dimensions that agreed."""
    left: tuple[str, ...] = ()
    """The classes not to adopt."""
    stage: str = ""
    """The stage to print instead of the report, without writing: see `show.py`."""
    imports: bool = True


class Done(Struct, frozen=True):
    """The exit status, and the lines to print."""

    status: int
    lines: tuple[str, ...]
    diff: str = ""


def adopt(wish: Wish) -> Done:
    """Find, check, decide, write and verify.

    Raises:
        ValueError: the classes cannot be adopted; its text explains it to the user.
        OSError: a file cannot be read or written.
    """
    if not os.path.exists(wish.src):
        raise ValueError(f"`{wish.src}` does not exist: give the folder of a package")
    if wish.is_rewritten and find_spec("libcst") is None:
        raise ValueError("`--rewrite` needs libcst: run `pip install 'pytree-codegen[adopt]'`")
    found, names = find(wish.src)
    if not found.modules and not found.unread:
        raise ValueError(f"no Python module in `{wish.src}`: give the folder of a package")
    findings = unsound(found, names)
    if wish.stage in ("found", "unsound"):
        return Done(0, (), shown(found.classes.values() if wish.stage == "found" else findings))
    if not wish.schemas:
        refused = refusals(found, names, None, is_rewritten=wish.is_rewritten)
        return _reported(wish, report.document(found, refused, findings))
    seen = _observed(wish, found)
    if wish.stage == "observed":
        return Done(0, (), seen.as_json() if seen is not None else "")
    evidence = Evidence(
        seen=seen,
        values=values_of(found, top_of(_folder(wish.src))) if wish.imports else {},
    )
    made = {name for name, one in seen.classes.items() if one.objects} if seen else set[str]()
    plain = mixins(found, names, {*made, *wish.left}) if wish.is_rewritten else {}
    frame = Frame(_options(wish), _package(wish), wish.is_rewritten, wish.has_shapes, plain)
    rest = without(found, plain)
    settled = _settled(wish, rest, names, seen, evidence, frame)
    if wish.stage == "decided":
        decided = settled.decision
        return Done(0, (), shown((*decided.modules, *decided.notes, *decided.factories)))
    document = report.document(found, settled.refused, findings, settled.decision.notes)
    done = _reported(wish, document)
    if not settled.files:
        return done
    work = _work(wish, found, settled, frame)
    if wish.stage:
        return Done(0, (), "".join(map(_text, (*work.schemas, *work.sources))))
    if wish.is_dry or not work.changes:
        return Done(done.status, done.lines, "".join(map(_diff, work.changes)))
    return _written(wish, rest, work, seen, done)


def _settled(
    wish: Wish,
    found: Found,
    names: PackageNames,
    seen: Observation | None,
    evidence: Evidence,
    frame: Frame,
) -> Settled:
    refused = {
        **_left(wish, found),
        **_adopted_before(found, frame.package),
        **_extended(wish, found, seen),
        **other_fields(found, evidence.values),
        **refusals(found, names, seen, is_rewritten=wish.is_rewritten),
    }
    whole = with_families(found, refused, is_rewritten=wish.is_rewritten)
    return settle(found, names, whole, evidence, frame)


def _left(wish: Wish, found: Found) -> dict[str, tuple[ClassRefusal, ...]]:
    for name in wish.left:
        if name not in found.classes:
            raise ValueError(
                f"`{name}` in `--leave` is not a class of the package; {_nearest(name, found)}"
            )
    return {name: (refusal("left", found.classes[name].line),) for name in wish.left}


def _nearest(name: str, found: Found) -> str:
    return did_you_mean(name, found.classes, "`--show found` lists all classes")


def _adopted_before(found: Found, package: str) -> dict[str, tuple[ClassRefusal, ...]]:
    """Refuse classes whose module already has an adopted schema, which now belongs to the user."""
    done = {
        module.name
        for module in found.modules.values()
        for node in module.tree.body
        if isinstance(node, ast.ImportFrom) and absolute(node, module).startswith(f"{package}.")
    }
    return {
        name: (refusal("adopted before", one.line),)
        for name, one in found.classes.items()
        if one.module in done
    }


def _extended(
    wish: Wish, found: Found, seen: Observation | None
) -> dict[str, tuple[ClassRefusal, ...]]:
    """Refuse classes with observed subclasses outside the package: they may be extension points."""
    if seen is None or not wish.is_rewritten:
        return {}
    return {
        name: (refusal("extended outside", found.classes[name].line, heir=one.extended[0]),)
        for name, one in seen.classes.items()
        if one.extended and name in found.classes
    }


def _folder(src: str) -> str:
    return os.path.dirname(os.path.abspath(src)) if os.path.isfile(src) else src


def _package(wish: Wish) -> str:
    holder = containing_package(wish.out)
    last = os.path.basename(os.path.normpath(wish.out))
    if not last.isidentifier():
        raise ValueError(f"`{wish.out}` is not a valid name for a package: choose another `--out`")
    return f"{holder}.{last}" if holder else last


def _options(wish: Wish) -> Options:
    return Options(
        wish.schemas,
        wish.out,
        keeps_module=wish.is_rewritten,
        holder=containing_package(wish.out),
    )


def _observed(wish: Wish, found: Found) -> Observation | None:
    if wish.seen:
        return Observation.load(wish.seen)
    return observe(found, wish.command) if wish.is_observed else None


def _work(wish: Wish, found: Found, settled: Settled, frame: Frame) -> Work:
    """Return every file to write: schemas, generated output, sources."""
    changes = [FileChange(path, _read(path), data) for path, _, data in settled.files]
    taken = [one.path for one in changes if one.before not in (None, one.after)]
    if taken:
        raise ValueError(
            f"`{taken[0]}` already exists with other content: delete it, or choose another `--schemas`"
        )
    # The existing schemas in the folder are part of the output too.
    others = schemas(wish.schemas) if os.path.isdir(wish.schemas) else []
    ours = {name for _, name, _ in settled.files}
    files = (*settled.files, *(one for one in others if one[1] not in ours))
    compiled = pipeline.compile(files, frame.options)
    if compiled.report:
        raise ValueError(
            f"the schemas in `{wish.schemas}` have errors: run `codegen build` to see them"
        )
    paths = [one.path for one in compiled.rendered]
    output = Output(wish.out, compiled.rendered, plan(compiled.rendered, snapshot(wish.out, paths)))
    if output.plan.refusals:
        raise ValueError(
            f"`{wish.out}` contains files that were edited or that no build wrote: choose another "
            "`--out`"
        )
    return Work(_new(changes), output, _new(_sources(found, settled)))


def _sources(found: Found, settled: Settled) -> Iterator[FileChange]:
    if settled.rewrites:
        from codegen.adopted.written.sources import rewritten  # noqa: PLC0415 -- libcst is an extra

        for name, rewrite in settled.rewrites.items():
            module = found.modules[name]
            yield FileChange(module.path, module.data, rewritten(module.data, rewrite))


def _new(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    return tuple(one for one in changes if one.before != one.after)


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _text(change: FileChange) -> str:
    return f"# {change.path}\n{(change.after or b'').decode(errors='replace')}"


def _diff(change: FileChange) -> str:
    before = (change.before or b"").decode(errors="replace").splitlines(keepends=True)
    after = (change.after or b"").decode(errors="replace").splitlines(keepends=True)
    old = change.path if change.before is not None else os.devnull
    new = change.path if change.after is not None else os.devnull
    return "".join(unified_diff(before, after, old, new))


def _written(wish: Wish, found: Found, work: Work, seen: Observation | None, done: Done) -> Done:
    write(work)
    said: list[str] = []
    if wish.is_rewritten and wish.is_observed and seen is not None:
        try:
            with ended_by_exception():
                compared = compare(seen, observe(found, wish.command, wish.out))
        except BaseException:
            put_back(work.changes)
            raise
        if compared.differences:
            put_back(work.changes)
            return Done(1, (_DIFFERENT, *compared.differences))
        said.append(f"compared {compared.objects} objects of both runs: no difference")
        if compared.others:
            said.append(
                f"{compared.others} objects of the first run have no counterpart in the second run"
            )
    return Done(done.status, (*done.lines, *_next(wish, len(work.changes)), *said))


def _next(wish: Wish, files: int) -> list[str]:
    said = [f"wrote {files} files"]
    if wish.is_rewritten:
        settings = f'root = "{wish.schemas}", out = "{wish.out}", keep_module = true'
        said.append(f"for `codegen build`, write in [tool.codegen] of pyproject.toml: {settings}")
    return said


def _reported(wish: Wish, document: Mapping[str, object]) -> Done:
    if wish.report:
        overwrite(wish.report, json.format(json.encode(document)) + b"\n")
    return Done(0, tuple(report.lines(document)))
