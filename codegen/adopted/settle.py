"""Decide, write and build in memory, until all remaining classes build.

settle(found, names, refused, evidence, ...)    ->    Settled(files, decision, adopted, refused)

If the compiler reports an error in a field, its type becomes `Any`. If that does not help, the
whole class is left as it is, with the compiler's reason. A class is never adopted partially.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field, structs

from codegen import pipeline
from codegen.adopted.decided.changes import Rewrite, changes, with_mixins
from codegen.adopted.decided.decide import Decider, Evidence, schema_name
from codegen.adopted.decided.nodes import Decision, SchemaModule
from codegen.adopted.decided.refusals import with_families
from codegen.adopted.finding.names import PackageNames
from codegen.adopted.finding.nodes import ClassRefusal, Found, SourceClass
from codegen.adopted.finding.reasons import refusal
from codegen.adopted.written.schemas import written
from codegen.diagnostics import Diagnostic, Severity
from codegen.options import Options
from codegen.output.schemas import misnamed

Refusals: TypeAlias = dict[str, tuple[ClassRefusal, ...]]


class Settled(Struct, frozen=True):
    """Schemas that build without errors."""

    files: tuple[pipeline.File, ...]
    rewrites: Mapping[str, Rewrite]
    """By module; none where sources stay as they are."""
    decision: Decision
    adopted: Mapping[str, SourceClass]
    refused: Refusals


class Frame(Struct, frozen=True):
    """Settings that are the same in all rounds."""

    options: Options
    package: str
    """The import name of the output folder. Example: "heat._generated"."""
    is_rewritten: bool
    has_shapes: bool = False
    mixins: Mapping[str, SourceClass] = field(default_factory=dict[str, SourceClass])
    """Classes without fields that stay as bases in Python."""

    @property
    def holder(self) -> str:
        """The package that contains the output folder; empty if there is none."""
        return self.package.rpartition(".")[0]


def settle(
    found: Found, names: PackageNames, refused: Refusals, evidence: Evidence, frame: Frame
) -> Settled:
    """Return the largest set of classes that can be adopted."""
    while True:
        adopted = {name: one for name, one in found.classes.items() if name not in refused}
        decider = Decider(
            found,
            names,
            adopted,
            evidence,
            is_rewritten=frame.is_rewritten,
            has_shapes=frame.has_shapes,
            holder=frame.holder,
        )
        decision = decider.decide()
        files, lines = _files(decision, adopted, frame)
        new, vague = _judged(files, lines, adopted, evidence, frame)
        new |= _unmade(decision, adopted, frame)
        rewrites: dict[str, Rewrite] = {}
        if frame.is_rewritten:
            rewrites, late = changes(decision, adopted, found, names, frame.package)
            new |= late
        if not new and not vague:
            rewrites = with_mixins(rewrites, frame.mixins, adopted)
            refused = {**refused, **_unused(rewrites, frame)}
            return Settled(files, rewrites, decision, adopted, refused)
        whole = with_families(found, {**refused, **new}, is_rewritten=frame.is_rewritten)
        refused = whole
        evidence = structs.replace(evidence, vague=evidence.vague | vague)


def _unused(rewrites: Mapping[str, Rewrite], frame: Frame) -> Refusals:
    """Refuse bases without fields if none of their subclasses was adopted."""
    return {
        name: (refusal("heirs", one.line),)
        for name, one in frame.mixins.items()
        if one.module not in rewrites or one.name not in rewrites[one.module].plain
    }


_Lines: TypeAlias = dict[str, list[tuple[int, str, str]]]
"""By path, where each class and field begins: line, class, field."""


def _files(
    decision: Decision, adopted: Mapping[str, SourceClass], frame: Frame
) -> tuple[tuple[pipeline.File, ...], _Lines]:
    homes = {name: schema_name(one.module, frame.holder) for name, one in adopted.items()}
    files: list[pipeline.File] = []
    lines: _Lines = {}
    for module in decision.modules:
        text = written(module, homes)
        path = f"{frame.options.root}/{module.name.replace('.', '/')}.pyi"
        files.append((path, module.name, text.encode()))
        lines[path] = _starts(module, text)
    return tuple(sorted(files)), lines


def _starts(module: SchemaModule, text: str) -> list[tuple[int, str, str]]:
    """Find the lines where classes and fields start in the text, in order."""
    wanted = [
        start
        for one in module.classes
        for start in (
            (f"class {one.name}", one.full_name, ""),
            *((f"    {each.name}: {each.role}[", one.full_name, each.name) for each in one.fields),
        )
    ]
    found: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if wanted and line.startswith(wanted[0][0]):
            _, owner, name = wanted.pop(0)
            found.append((number, owner, name))
    return found


def _judged(
    files: tuple[pipeline.File, ...],
    lines: _Lines,
    adopted: Mapping[str, SourceClass],
    evidence: Evidence,
    frame: Frame,
) -> tuple[Refusals, frozenset[tuple[str, str]]]:
    """Return what the compiler rejects: classes to leave, and fields to change to `Any` first."""
    schemas = [(path, name, data) for path, name, data in files]
    report = misnamed(schemas, frame.options.root)
    report = report or pipeline.run(schemas, frame.options, "checked").report
    refused: Refusals = {}
    vague: set[tuple[str, str]] = set()
    for one in report:
        if one.severity is not Severity.ERROR:
            continue
        owner, name = _place(one, lines.get(one.source.path, []))
        several = [owner] if owner else _of(one.source.path, lines, files)
        if name and (owner, name) not in evidence.vague:
            vague.add((owner, name))
            continue
        for each in several:
            said = {"message": one.message, "help": one.help or "write its schema by hand"}
            reason = refusal("compiler", adopted[each].line, code=one.code, **said)
            refused.setdefault(each, (reason,))
    return refused, frozenset(vague)


def _place(one: Diagnostic, starts: list[tuple[int, str, str]]) -> tuple[str, str]:
    line = one.source.text.count("\n", 0, one.span.start) + 1
    before = [(owner, name) for number, owner, name in starts if number <= line]
    return before[-1] if before else ("", "")


def _of(path: str, lines: _Lines, files: tuple[pipeline.File, ...]) -> list[str]:
    """Return the classes of a file, or all classes, for an error outside a class."""
    paths = [path] if path in lines else [one for one, _, _ in files if one.startswith(path)]
    chosen = paths or [one for one, _, _ in files]
    return list(dict.fromkeys(owner for one in chosen for _, owner, _ in lines[one]))


def _unmade(decision: Decision, adopted: Mapping[str, SourceClass], frame: Frame) -> Refusals:
    """Refuse classes with a default that needs a function, unless the source is rewritten."""
    if frame.is_rewritten:
        return {}
    return {
        one.owner: (
            refusal("computed default", adopted[one.owner].line, expression=one.expression),
        )
        for one in decision.factories
    }
