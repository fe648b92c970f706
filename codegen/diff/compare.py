"""Compare two versions, one declaration at a time.

compare(old, new)    ->    Report(DECLARATION_REMOVED ..., FIELD_ADDED ...)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from codegen.diagnostics import Code, Report
from codegen.diff.classes import compare_class, compare_makers
from codegen.diff.comparison import (
    CHECKPOINT,
    SOURCE,
    TREEDEF,
    Change,
    Comparison,
    find_evolution,
    is_held,
    names_now,
)
from codegen.diff.declarations import compare_enum, compare_function, learn_dimensions
from codegen.program.nodes import Class, Enum, Function, Module, Program
from codegen.program.types import Ref, former_refs
from codegen.schema import nodes as declarations
from codegen.source import Span


class _Declared(Struct, frozen=True):
    """A declaration that a generated module defines."""

    what: str  # Example: "class"
    ref: Ref
    was: tuple[str, ...]
    span: Span
    node: Class | Enum | Function | None


def compare(old: Program, new: Program) -> Report:
    """Report everything in the new version that breaks users of the old one."""
    comparison = Comparison(old, new, find_evolution(old, new))
    modules = {module.name: module for module in new.modules}
    now = _by_old_place(old, new)
    pairs: list[tuple[_Declared, _Declared]] = []
    for before in old.modules:
        both = [(one, now[one.ref]) for one in _declared(before) if one.ref in now]
        gone = [one for one in _declared(before) if one.ref not in now]
        after = modules.get(before.name)
        if after is None:
            _module_removed(comparison, before, gone)
        else:
            for one in gone:
                _removed(comparison, one)
        same = [pair for pair in both if _is_of_one_kind(comparison, *pair)]
        if after is not None:
            nodes = [(one.node, other.node) for one, other in same]
            learn_dimensions(comparison, before, after, nodes)
        pairs += same
    # Compare types only after all renames are known.
    classes: list[tuple[Class, Class]] = []
    for one, other in pairs:
        match one.node, other.node:
            case Class() as old_node, Class() as new_node:
                compare_class(comparison, old_node, new_node)
                classes.append((old_node, new_node))
            case declarations.Enum() as old_node, declarations.Enum() as new_node:
                compare_enum(comparison, old_node, new_node)
            case declarations.Function() as old_node, declarations.Function() as new_node:
                compare_function(comparison, old_node, new_node, one.ref.module)
            case _:
                pass
    compare_makers(comparison, classes)
    return Report(comparison.found)


def _declared(module: Module) -> list[_Declared]:
    return [
        *(_Declared("alias", one.ref, one.was, one.span, None) for one in module.aliases),
        *(_Declared("enum", one.ref, one.was, one.span, one) for one in module.enums),
        *(_Declared("class", one.ref, one.was, one.span, one) for one in module.classes),
        *(
            _Declared("function", Ref(module.name, one.name), one.was, one.span, one)
            for one in module.functions
        ),
    ]


def _by_old_place(old: Program, new: Program) -> dict[Ref, _Declared]:
    """Return the declarations of the new version, keyed by their reference in the old one."""
    known = {one.ref for module in old.modules for one in _declared(module)}
    now = {one.ref: one for module in new.modules for one in _declared(module)}
    names = names_now({ref: former_refs(ref, one.was) for ref, one in now.items()}, known)
    return {earlier: now[ref] for earlier, ref in names.items()}


def _is_of_one_kind(comparison: Comparison, one: _Declared, other: _Declared) -> bool:
    """Return whether a declaration kept its kind; report a changed kind or name."""
    if other.what != one.what:
        change = Change(
            Code.DECLARATION_REMOVED,
            f"`{one.ref.name}` was {_a(one.what)} and is now {_a(other.what)}",
            "give the new declaration another name",
            _breaks(comparison, one),
        )
        comparison.add(change, other.span, one.span)
        return False
    if other.ref != one.ref:
        comparison.renamed[one.ref] = other.ref
        comparison.add(_renamed(one, other), other.span, one.span)
    return True


def _breaks(comparison: Comparison, one: _Declared) -> tuple[str, ...]:
    """Return what the removal of a declaration breaks."""
    if one.what not in ("class", "enum"):
        return (SOURCE,)
    is_saved = one.what == "class" or is_held(comparison.old, one.ref)
    return (SOURCE, TREEDEF, CHECKPOINT) if is_saved else (SOURCE, TREEDEF)


def _module_removed(comparison: Comparison, module: Module, gone: Sequence[_Declared]) -> None:
    if not gone:
        return
    breaks = max((_breaks(comparison, one) for one in gone), key=len)
    change = Change(
        Code.MODULE_REMOVED,
        f"the module `{module.name}` was removed",
        "keep the file until nothing imports it. If you moved a declaration, write on its new line "
        f"`# codegen: was[{module.name}:{gone[0].ref.name}]`",
        breaks,
    )
    comparison.add(change, module.source.at(0, 0))


def _removed(comparison: Comparison, one: _Declared) -> None:
    name, module = one.ref.name, one.ref.module
    change = Change(
        Code.DECLARATION_REMOVED,
        f"the {one.what} `{name}` was removed from `{module}`",
        f"if you renamed `{name}`, write `# codegen: was[{name}]` on its new line. If you moved "
        f"`{name}` to another module, write `# codegen: was[{module}:{name}]`",
        _breaks(comparison, one),
        label="in the earlier version",
    )
    comparison.add(change, one.span)


def _renamed(one: _Declared, other: _Declared) -> Change:
    is_moved = one.ref.module != other.ref.module
    before, now = (str(ref) if is_moved else ref.name for ref in (one.ref, other.ref))
    return Change(
        Code.DECLARATION_RENAMED,
        f"the {one.what} `{before}` was renamed to `{now}`",
        f"keep the name, or import `{now}` instead of `{before}`",
        (SOURCE, TREEDEF) if one.what in ("class", "enum") else None,
    )


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
