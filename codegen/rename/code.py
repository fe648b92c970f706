"""Rename in Python code: imports, names, attributes, and keywords of calls.

    from generated.heat import Plate            plate.u: the type of `plate` is a Plate
    plate = Plate(u=u, grid=grid)               u=u: the constructor of a Plate

    rename_in_code(source, target, types)    # CodeRename(edits, notes=((<model.u>, "..."),), taken=())

A place that is not certain stays, and is in the notes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias
from unicodedata import normalize

import libcst as cst
from libcst.metadata import (
    ImportAssignment,
    MetadataWrapper,
    ParentNodeProvider,
    PositionProvider,
    ScopeProvider,
)
from msgspec import Struct
from mypy import nodes, types

from codegen.diagnostics import Edit
from codegen.rename.dimensions import sized_classes
from codegen.rename.names import SchemaNames
from codegen.rename.target import Target
from codegen.rename.types import PythonTypes, is_below, place_of
from codegen.source import Source, Span

_NAMES = re.compile(r"[\w.:\[\]]+(?:\s*[|,]\s*[\w.:\[\]]+)*")


Place: TypeAlias = tuple[Span, str]
"""A place with the old name, and why it is not certain that it must change; "" if it is."""


class CodeTarget(Struct, frozen=True):
    """What to rename in Python code, by the full names that mypy uses."""

    old: str
    new: str
    names: frozenset[str]
    """Declarations of modules. Example: "generated.heat.Plate"."""
    owners: frozenset[str]
    """The classes of a member, and their drafts."""
    sized: frozenset[str]
    """The classes whose `abstract` takes a dimension."""
    methods: frozenset[str]
    """The methods that schemas declare: their parameters are no fields."""


def code_target(
    names: SchemaNames, target: Target, new: str, modules: Mapping[str, str]
) -> CodeTarget:
    """Return what to rename in Python; `modules` has the Python module of each schema module."""

    def full(module: str, *parts: str) -> str:
        return ".".join((modules.get(module, ""), *parts))

    declared = (n for n in target.named if not n.owner and not names.is_dimension(n))
    members = {n for n in target.named if n.owner and not n.is_parameter}
    classes = names.program.classes
    below = [ref for ref in classes if names.member(ref, target.old) in members]
    drafts = [full(ref.module, ref.name, "Draft") for ref in below]
    return CodeTarget(
        target.old,
        new,
        frozenset(full(one.module, one.name) for one in declared),
        frozenset(
            (
                *(full(one.module, one.owner) for one in members),
                *drafts,
                *(f"{one}.At" for one in drafts),
            )
        ),
        frozenset(full(ref.module, ref.name) for ref in sized_classes(names, target.named)),
        frozenset(one.name for node in classes.values() for one in node.methods),
    )


class CodeRename(Struct, frozen=True):
    """The changes of one file."""

    edits: frozenset[Edit]
    notes: tuple[Place, ...]
    """Places that stay, and why."""
    taken: tuple[Span, ...]
    """Lines that use the new name for something else."""


def rename_in_code(source: Source, target: CodeTarget, python: PythonTypes) -> CodeRename:
    """Return the changes of a Python file; `source.module` is its name for mypy."""
    tree = ast.parse(source.text)
    places = {*_strings(tree, source, target.old)}
    taken: set[Span] = set()
    if target.names:
        places.update(_names(tree, source, target, python))
        if any((span, "") in places for span, _ in _imports(tree, source)):
            exports = {*_exports(tree, source, target.old)}
            places = {(one, "" if one in exports else why) for one, why in places}
            taken.update(_bindings(tree, source, target.new))
    if target.owners or target.sized:
        places.update(_members(tree, source, target, python))
    for info in python.classes(source.module):
        if is_below(info, target.owners):
            line = source.line_span(info.defn.line)
            places |= {(line, "it overrides the member")} if target.old in info.names else set()
            taken |= {line} if target.new in info.names else set()
    # Before Python 3.12, `ast` has wrong places in some f-strings.
    certain = {s for s, why in places if not why and normalize("NFKC", s.text) == target.old}
    unclear = "its place in the line is not certain"
    notes = sorted((one, why or unclear) for one, why in places if one not in certain)
    edits = frozenset(Edit(span, target.new) for span in certain)
    return CodeRename(edits, tuple(notes), tuple(sorted(taken)))


def _members(
    tree: ast.Module, source: Source, target: CodeTarget, python: PythonTypes
) -> Iterator[Place]:
    """Yield each attribute and keyword that is or may be the member."""
    expressions = python.expressions(source.module)
    why = "mypy does not know its type"
    for node in ast.walk(tree):
        match node:
            case ast.FormattedValue(value=ast.Attribute() | ast.Call() as value):
                # mypy gives the value the start of the braces.
                line, column, *end = place_of(value)
                moved = expressions.get((node.lineno, node.col_offset, end[0], end[1]))
                if moved is not None:
                    expressions[line, column, end[0], end[1]] = moved
            case ast.Attribute(attr=target.old):
                found = expressions.get(place_of(node))
                owner = found.expr if isinstance(found, nodes.MemberExpr) else None
                is_member = python.belongs(owner, target.owners)
                if is_member is not False:
                    yield source.name_span(node), "" if is_member else why
            case ast.Call(keywords=keywords):
                for keyword in (one for one in keywords if one.arg == target.old):
                    is_member = _takes_member(expressions.get(place_of(node)), target, python)
                    if is_member is not False:
                        why_not = "the call may pass it on under this name"
                        yield source.name_span(keyword), "" if is_member else why_not
            case ast.MatchClass(kwd_attrs=names) if target.old in names:
                yield source.span(node.cls), "it is in a pattern"
            case _:
                pass


def _takes_member(
    call: nodes.Expression | None, target: CodeTarget, python: PythonTypes
) -> bool | None:
    """Return whether a call has the member as a keyword; None if that is not known."""
    if not isinstance(call, nodes.CallExpr):  # Of `dict(u=u)`, mypy makes a display.
        return None
    callee = python.type_of(call.callee)
    if callee is None or isinstance(callee, types.UnionType):
        return None
    if isinstance(callee, types.TypeType):
        return python.belongs(call.callee, target.owners)
    if isinstance(callee, types.FunctionLike):
        first = callee.items[0]
        if python.is_own(first.definition):
            # A parameter of a function that the user wrote stays; `**fields` may contain the member.
            is_passed = target.old not in first.arg_names and nodes.ARG_STAR2 in first.arg_kinds
            return None if is_passed else False
        if first.is_type_obj():
            if is_below(first.type_object(), target.owners):
                return True
        elif target.old in first.arg_names:
            info: nodes.TypeInfo | None = getattr(first.definition, "info", None)
            name = first.definition.name if first.definition else ""
            owners = target.owners | (target.sized if name == "abstract" else frozenset())
            return info is not None and name not in target.methods and is_below(info, owners)
    # Such as `dataclasses.replace(plate, u=...)` and `partial(Plate, u=...)`.
    is_given = call.arg_kinds[:1] == [nodes.ARG_POS] and python.belongs(call.args[0], target.owners)
    return None if is_given else False


def _names(
    tree: ast.Module, source: Source, target: CodeTarget, python: PythonTypes
) -> Iterator[Place]:
    """Yield each use of a declaration, as the imports of the file define it."""
    why = "mypy does not know its origin"

    def is_target(name: str) -> bool:
        return python.resolve(name, source.module) in target.names

    for span, full in _imports(tree, source):
        found = python.resolve(full, source.module)
        if span.text == target.old and (found is None or found in target.names):
            yield span, "" if found else why
        elif span.text == "*" and is_target(f"{full[:-1]}{target.old}"):
            for name in ast.walk(tree):
                if isinstance(name, ast.Name) and name.id == target.old:
                    yield source.span(name), "`import *` may have bound it"
    wrapper = MetadataWrapper(cst.parse_module(source.text), unsafe_skip_copy=True)
    positions, parents = wrapper.resolve(PositionProvider), wrapper.resolve(ParentNodeProvider)
    scopes = {one for one in wrapper.resolve(ScopeProvider).values() if one is not None}
    imported = (a for one in scopes for a in one.assignments if isinstance(a, ImportAssignment))
    for access in {access for assignment in imported for access in assignment.references}:
        node: cst.CSTNode = access.node
        while isinstance(node, cst.Name | cst.Attribute):
            last = node.attr if isinstance(node, cst.Attribute) else node
            origins = access.scope.get_qualified_names_for(node)
            known = [one for one in origins if last.value == target.old and is_target(one.name)]
            if known:
                start = positions[last].start
                offset = source.line_starts[start.line - 1] + start.column
                is_certain = len(known) == len(origins)
                yield source.at(offset, offset + len(target.old)), "" if is_certain else why
            above = parents[node]
            if not isinstance(above, cst.Attribute) or above.value is not node:
                break
            node = above


def _imports(tree: ast.Module, source: Source) -> Iterator[tuple[Span, str]]:
    """Yield each name that is imported from a module, and its full name: `Plate`, "heat.Plate".

    Of `Plate as P`, both names have this full name.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            start = "." * node.level + (f"{node.module}." if node.module else "")
            for item in node.names:
                span = source.span(item)
                yield source.at(span.start, span.start + len(item.name)), start + item.name
                if item.asname:
                    yield source.at(span.end - len(item.asname), span.end), start + item.name


def _bindings(tree: ast.Module, source: Source, name: str) -> Iterator[Span]:
    """Yield the lines that use a name, which a renamed import would change."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=other)
                | ast.arg(arg=other)
                | ast.ClassDef(name=other)
                | ast.FunctionDef(name=other)
                | ast.alias(asname=str() as other)
                | ast.alias(name=other)
            ) if other == name:
                yield source.line_span(node.lineno)
            case _:
                pass


def _exports(tree: ast.Module, source: Source, name: str) -> Iterator[Span]:
    """Yield the strings in `__all__` with this content."""
    for statement in tree.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple() as value
            ):
                yield from (span for span, _ in _strings(value, source, name))
            case _:
                pass


def _strings(tree: ast.AST, source: Source, name: str) -> Iterator[Place]:
    """Yield the name in each string that consists of names: `nx` in "config.nx"."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if _NAMES.fullmatch(text) and name in re.findall(
                r"\w+", text
            ):
                span = source.span(node)
                for found in re.finditer(rf"\b{name}\b", span.text):
                    yield (
                        source.at(span.start + found.start(), span.start + found.end()),
                        "it is text",
                    )
            case _:
                pass
