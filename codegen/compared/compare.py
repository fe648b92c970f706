"""Compare two versions, declaration by declaration.

compare(old, new)    ->    Report(DECLARATION_REMOVED ..., FIELD_ADDED ...)
"""

from __future__ import annotations

from msgspec import Struct

from codegen.compared.classes import compare_class
from codegen.compared.dimensions import learn_dimensions
from codegen.compared.enums import compare_enum
from codegen.compared.functions import compare_function
from codegen.compared.kinds import CHECKPOINT, SOURCE, TREEDEF
from codegen.compared.makers import Makers
from codegen.compared.versions import Comparison, Version
from codegen.diagnostics import Code, Report
from codegen.program.nodes import Class, Enum, Function, Module
from codegen.program.types import Ref
from codegen.source import Span


class _Declared(Struct, frozen=True):
    """Something that a generated module defines."""

    what: str  # Example: "class"
    name: str
    span: Span
    node: Class | Enum | Function | None


def compare(old: Version, new: Version) -> Report:
    """Everything in the new version that breaks what was made for the old one."""
    comparison = Comparison.of(old, new)
    modules = {module.name: module for module in new.program.modules}
    pairs: list[tuple[_Declared, _Declared, Module, Module]] = []
    for before in old.program.modules:
        after = modules.get(before.name)
        if after is None:
            _module_removed(comparison, before)
        else:
            both = _pairs(comparison, before, after)
            nodes = [(one.node, other.node) for one, other, _, _ in both]
            learn_dimensions(comparison, before, after, nodes)
            pairs += both
    # All names are known before types are compared.
    makers = Makers(comparison)
    for one, other, before, after in pairs:
        _compare(comparison, one, other, before, after)
        if isinstance(one.node, Class) and isinstance(other.node, Class):
            makers.compare(one.node, other.node)
    return Report(comparison.found)


def _declared(module: Module) -> list[_Declared]:
    return [
        *(_Declared("alias", alias.ref.name, alias.span, None) for alias in module.aliases),
        *(_Declared("enum", enum.ref.name, enum.span, enum) for enum in module.enums),
        *(_Declared("class", node.ref.name, node.span, node) for node in module.classes),
        *(_Declared("function", one.name, one.span, one) for one in module.functions),
    ]


def _pairs(
    comparison: Comparison, before: Module, after: Module
) -> list[tuple[_Declared, _Declared, Module, Module]]:
    """The declarations that both versions have; the others are reported."""
    known = {one.name for one in _declared(before)}
    now = {
        comparison.old_name(after.source, one.span, one.name, known): one
        for one in _declared(after)
    }
    found: list[tuple[_Declared, _Declared, Module, Module]] = []
    for one in _declared(before):
        other = now.get(one.name)
        if other is None or other.what != one.what:
            _removed(comparison, one, other, before, after)
            continue
        if other.name != one.name:
            comparison.renamed[Ref(before.name, one.name)] = Ref(after.name, other.name)
            _renamed(comparison, one, other, before, after)
        found.append((one, other, before, after))
    return found


def _compare(
    comparison: Comparison, one: _Declared, other: _Declared, before: Module, after: Module
) -> None:
    match one.node, other.node:
        case Class() as old, Class() as new:
            compare_class(comparison, old, new)
        case Enum() as old, Enum() as new:
            compare_enum(comparison, old, new, before.source, after.source)
        case Function() as old, Function() as new:
            compare_function(comparison, old, new, before.name, before.source, after.source)
        case _:
            pass


def _breaks(what: str) -> tuple[str, ...]:
    """What goes with a declaration of a kind."""
    by_kind = {"class": (SOURCE, TREEDEF, CHECKPOINT), "enum": (SOURCE, TREEDEF)}
    return by_kind.get(what, (SOURCE,))


def _module_removed(comparison: Comparison, module: Module) -> None:
    declared = [one.what for one in _declared(module)]
    if not declared:
        return
    breaks = max((_breaks(what) for what in declared), key=len)
    comparison.add(
        Code.MODULE_REMOVED,
        module.source,
        Span(0, 0),
        f"the module `{module.name}` was removed",
        breaks,
        advice="keep the file until nothing imports it",
    )


def _removed(
    comparison: Comparison, one: _Declared, other: _Declared | None, before: Module, after: Module
) -> None:
    place = (before.source, one.span)
    if other is None:
        said = f"the {one.what} `{one.name}` was removed from `{before.name}`"
        advice = f"if it has another name now, write `# codegen: was[{one.name}]` behind it"
    else:
        said = f"`{one.name}` was {_a(one.what)} and is {_a(other.what)} now"
        advice = "give the new one a name of its own"
        place = (after.source, other.span)
    comparison.add(
        Code.DECLARATION_REMOVED,
        *place,
        said,
        _breaks(one.what),
        label="as it was" if other is None else "",
        advice=advice,
        before=None if other is None else (before.source, one.span),
    )


def _renamed(
    comparison: Comparison, one: _Declared, other: _Declared, before: Module, after: Module
) -> None:
    comparison.add(
        Code.DECLARATION_RENAMED,
        after.source,
        other.span,
        f"the {one.what} `{one.name}` is called `{other.name}` now",
        (SOURCE, TREEDEF) if one.what in ("class", "enum") else (SOURCE,),
        advice=f"keep the name, or have all that imports `{one.name}` import `{other.name}`",
        before=(before.source, one.span),
    )


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
