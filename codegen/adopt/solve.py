"""Decide, write and build in memory, until all remaining classes build.

solve(found, refused, evidence, settings)    ->    Solution(files, decision, adopted, refused)

If the compiler reports an error in a field, its type becomes `Any`. If that does not help, the
whole class is left as it is, with the compiler's reason. A class is never adopted partially.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from codegen import pipeline
from codegen.adopt.decide.nodes import Decision, SchemaModule, format_schema
from codegen.adopt.decide.refusals import (
    Refusals,
    extend_to_families,
    find_refusals,
    refuse_imported_differences,
)
from codegen.adopt.decide.rewrites import Rewrite, add_mixins, add_virtual_heirs, plan_rewrites
from codegen.adopt.decide.schemas import AdoptSettings, Decider, Evidence, schema_name
from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.find.package import absolute_module
from codegen.adopt.find.reasons import refusal
from codegen.adopt.observe.run import Observation
from codegen.diagnostics import Diagnostic, Severity
from codegen.diagnostics.suggest import did_you_mean
from codegen.output.schemas import misnamed


class Solution(Struct, frozen=True):
    """Schemas that build without errors."""

    files: tuple[pipeline.File, ...]
    rewrites: Mapping[str, Rewrite]
    """By module; none where sources stay as they are."""
    decision: Decision
    adopted: Mapping[str, SourceClass]
    refused: Refusals


def refuse_first(
    found: FoundClasses,
    evidence: Evidence,
    settings: AdoptSettings,
    excluded: Sequence[str],
) -> Refusals:
    """Refuse classes for what is known before the first round; `excluded` are the user's.

    Raises:
        ValueError: one of them is not a class of the package.
    """
    for name in excluded:
        if name not in found.classes:
            advice = did_you_mean(name, found.classes, "the file of `--report` lists all classes")
            raise ValueError(f"`{name}` in `--leave` is not a class of the package; {advice}")
    return {
        **{name: (refusal("left", found.classes[name].line),) for name in excluded},
        **_refuse_adopted_before(found, settings.package),
        **(_refuse_extended_outside(found, evidence.seen) if settings.is_rewritten else {}),
        **refuse_imported_differences(found, evidence.values),
        **find_refusals(found, evidence.seen, is_rewritten=settings.is_rewritten),
    }


def _refuse_adopted_before(found: FoundClasses, package: str) -> Refusals:
    """Refuse classes whose module already has an adopted schema, which now belongs to the user."""
    adopted_modules = {
        module.name
        for module in found.modules.values()
        for node in module.tree.body
        if isinstance(node, ast.ImportFrom)
        and absolute_module(node, module).startswith(f"{package}.")
    }
    return {
        name: (refusal("adopted before", one.line),)
        for name, one in found.classes.items()
        if one.module in adopted_modules
    }


def _refuse_extended_outside(found: FoundClasses, seen: Observation | None) -> Refusals:
    """Refuse classes with observed subclasses outside the package: they may be extension points."""
    return {
        name: (
            refusal("extended outside", found.classes[name].line, heir=next(iter(one.extended))),
        )
        for name, one in (seen.classes.items() if seen is not None else ())
        if one.extended and name in found.classes
    }


def solve(
    found: FoundClasses,
    refused: Refusals,
    evidence: Evidence,
    settings: AdoptSettings,
) -> Solution:
    """Return the largest set of classes that can be adopted."""
    refused = extend_to_families(found, refused, is_rewritten=settings.is_rewritten)
    while True:
        adopted = {name: one for name, one in found.classes.items() if name not in refused}
        decision = Decider(found, adopted, evidence, settings).decide()
        root = settings.options.root
        modules = {f"{root}/{one.name.replace('.', '/')}.pyi": one for one in decision.modules}
        files = _write_schemas(modules, adopted, settings)
        new, untyped = _compile_errors(files, modules, adopted, evidence, settings)
        new |= _refuse_computed_defaults(decision, adopted, settings)
        rewrites: dict[str, Rewrite] = {}
        if settings.is_rewritten:
            rewrites, late = plan_rewrites(decision, adopted, found, settings.package)
            new |= late
        if not new and not untyped:
            rewrites = add_mixins(rewrites, found.mixins, adopted)
            if settings.is_rewritten:
                rewrites = add_virtual_heirs(rewrites, adopted, found)
            refused = {**refused, **_refuse_unused_mixins(rewrites, found)}
            return Solution(files, rewrites, decision, adopted, refused)
        refused = extend_to_families(found, refused | new, is_rewritten=settings.is_rewritten)
        evidence = structs.replace(evidence, untyped=evidence.untyped | untyped)


def _refuse_unused_mixins(rewrites: Mapping[str, Rewrite], found: FoundClasses) -> Refusals:
    """Refuse bases without fields if none of their subclasses was adopted."""
    return {
        name: (refusal("heirs", one.line),)
        for name, one in found.mixins.items()
        if one.module not in rewrites or one.name not in rewrites[one.module].plain
    }


def _write_schemas(
    modules: Mapping[str, SchemaModule], adopted: Mapping[str, SourceClass], settings: AdoptSettings
) -> tuple[pipeline.File, ...]:
    homes = {name: schema_name(one.module, settings.holder) for name, one in adopted.items()}
    texts = ((path, one.name, format_schema(one, homes)) for path, one in modules.items())
    return tuple(sorted((path, name, text.encode()) for path, name, text in texts))


def _compile_errors(
    files: tuple[pipeline.File, ...],
    modules: Mapping[str, SchemaModule],
    adopted: Mapping[str, SourceClass],
    evidence: Evidence,
    settings: AdoptSettings,
) -> tuple[Refusals, frozenset[tuple[str, str]]]:
    """Return what the compiler rejects: classes to leave, and fields to change to `Any` first."""
    report = misnamed(files, settings.options.root)
    report = report or pipeline.run(files, settings.options, "checked").report
    refused: Refusals = {}
    untyped: set[tuple[str, str]] = set()
    for one in report:
        if one.severity is not Severity.ERROR:
            continue
        owner, name = _owner_of(one, modules.get(one.source.path))
        owners = [owner] if owner else _classes_of(one.source.path, modules)
        if name and (owner, name) not in evidence.untyped:
            untyped.add((owner, name))
            continue
        for each in owners:
            texts = {"message": one.message, "help": one.help or "write its schema by hand"}
            reason = refusal("compiler", adopted[each].line, code=one.code, **texts)
            refused.setdefault(each, (reason,))
    return refused, frozenset(untyped)


def _owner_of(error: Diagnostic, module: SchemaModule | None) -> tuple[str, str]:
    """Return the class and the field that an error is about; empty if it is outside of classes."""
    if module is None:
        return "", ""
    line, _ = error.source.position(error.span.start)
    nodes = (one for one in ast.parse(error.source.text).body if isinstance(one, ast.ClassDef))
    owner = name = ""
    for one, node in zip(module.classes, nodes, strict=False):
        for each in (node, *node.body):
            match each:
                case ast.AnnAssign(target=ast.Name(id=field)) if each.lineno <= line:
                    name = field
                case ast.ClassDef() if each.lineno <= line:
                    owner, name = one.full_name, ""
    return owner, name


def _classes_of(path: str, modules: Mapping[str, SchemaModule]) -> list[str]:
    """Return the classes of a file or folder, or all classes, for an error outside a class."""
    chosen = [one for name, one in modules.items() if name.startswith(path)]
    return [each.full_name for one in chosen or modules.values() for each in one.classes]


def _refuse_computed_defaults(
    decision: Decision, adopted: Mapping[str, SourceClass], settings: AdoptSettings
) -> Refusals:
    """Refuse classes with a default that needs a function, unless the source is rewritten."""
    if settings.is_rewritten:
        return {}
    return {
        one.owner: (
            refusal("computed default", adopted[one.owner].line, expression=one.expression),
        )
        for one in decision.factories
    }
