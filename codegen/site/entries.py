"""The page entry of one class or function: its tree, coloured by role, and consumed fields."""

from __future__ import annotations

from collections import abc, defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from codegen.check.check import Checked
from codegen.program.nodes import Class, Field, Function, Parameter, Program
from codegen.program.show import value_text
from codegen.program.substitution import arguments_of, dims_of, substitute
from codegen.program.types import (
    AnyDim,
    ClassType,
    FixedTuple,
    Mapping,
    NoneType,
    Ref,
    Sequence,
    Type,
    class_refs,
    held_children,
    iter_held,
)
from codegen.schema.nodes import ShareDecl
from codegen.site.page import (
    Links,
    PageEntry,
    PageRow,
    PageTable,
    TreeNode,
    code,
    paragraphs,
    span,
    words,
)


class Relations(Struct, frozen=True):
    """The uses of each class elsewhere: fields that hold it, functions that take or return it.

    relations.holders[Ref("heat", "Grid")]    ->    [(Ref("heat", "Plate"), "grid")]
    """

    holders: abc.Mapping[Ref, list[tuple[Ref, str]]]  # the class and the field name
    accepting: abc.Mapping[
        Ref, list[tuple[Ref, Function, str]]
    ]  # the function and the parameter name
    returning: abc.Mapping[Ref, list[Ref]]  # functions that return it


def find_relations(program: Program) -> Relations:
    """Collect the relations from every field, parameter and result."""
    holders: defaultdict[Ref, list[tuple[Ref, str]]] = defaultdict(list)
    takers: defaultdict[Ref, list[tuple[Ref, Function, str]]] = defaultdict(list)
    makers: defaultdict[Ref, list[Ref]] = defaultdict(list)
    for module in program.modules:
        for node in module.classes:
            for field in node.own_fields:
                for ref in _classes(field.type):
                    holders[ref].append((node.ref, field.name))
        for function in module.functions:
            own = Ref(module.name, function.name)
            for parameter in function.parameters:
                for ref in _classes(parameter.type):
                    takers[ref].append((own, function, parameter.name))
            for ref in _classes(function.returns):
                makers[ref].append(own)
    return Relations(holders, takers, makers)


def _classes(type: Type) -> list[Ref]:
    return list(dict.fromkeys(class_refs(type)))


# The shapes differ, so that roles can be distinguished without colours.
MARKS: Final = {"donated": "◆", "dynamic": "●", "ref": "▲", "static": "■"}
NODES_MAX: Final = 200
DEPTH_MAX: Final = 12
PATHS_MAX: Final = 50


def role(name: str) -> Markup:
    """Return a role in its colour, with its mark and its name."""
    return Markup('<span class="role {0}">{1} {0}</span>').format(name, MARKS[name])


def tree(program: Program, links: Links, node: Class) -> tuple[TreeNode, ...]:
    """Return the fields of a class, and below each field those of the classes that it holds.

    tree(program, links, node)    ->    (TreeNode("tanks", "donated", ..., below=(TreeNode("level"),)),)

    A donated field below a dynamic field is kept, so it is shown as dynamic. A tree ends where a
    class would appear inside itself, and where it would become too large to read.
    """
    return _TreeBuilder(program, links, NODES_MAX).nodes(node, (node.ref,), "", lambda one: one)


class _TreeBuilder(Struct):
    program: Program
    links: Links
    left: int  # nodes that may still be added

    def nodes(
        self, node: Class, path: tuple[Ref, ...], keeper: str, bound: Callable[[Type], Type]
    ) -> tuple[TreeNode, ...]:
        """Return the fields of a class below the classes of `path`, in the parameters of the first class.

        `keeper` is the dynamic field above that keeps everything below it, or "".
        """
        nodes: list[TreeNode] = []
        for field in node.fields:
            self.left -= 1
            is_kept = field.role == "donated" and bool(keeper)
            here = "dynamic" if is_kept else field.role
            type = bound(field.type)
            below = self._below(
                type, path, keeper or (field.name if field.role == "dynamic" else "")
            )
            shown = self.links.type(type)
            if is_kept:
                note = f" donated in {field.owner.name}, but kept here, because {keeper} is dynamic"
                shown += Markup('<span class="note">{}</span>').format(note)
            nodes.append(TreeNode(field.name, here, role(here), shown, below))
        return tuple(nodes)

    def _below(self, type: Type, path: tuple[Ref, ...], keeper: str) -> tuple[TreeNode, ...]:
        nodes: list[TreeNode] = []
        for part in dict.fromkeys(p for p in iter_held(type) if isinstance(p, ClassType)):
            inner = self.program.classes[part.ref]
            fits = len(path) < DEPTH_MAX and len(inner.fields) <= self.left
            if fits and part.ref not in path:
                nodes += self.nodes(inner, (*path, part.ref), keeper, _substitution(inner, part))
        return tuple(nodes)


def _substitution(node: Class, type: ClassType) -> Callable[[Type], Type]:
    """Return a function that substitutes a class's parameters in its types.

    Both may use the same names.
    """
    dims = {name: AnyDim() for name in node.dims} | dims_of(type, node)
    arguments = arguments_of(type, node)
    return lambda inner: substitute(inner, dims, arguments)


def consumed_paths(program: Program, function: Function) -> list[str]:
    """Return the paths that a call consumes: "plate.u", "plant.tanks[...].level"."""
    paths: list[str] = []
    for parameter in function.parameters:
        if parameter.role == "donated":
            _paths(program, parameter.type, parameter.name, (), paths)
    return paths[:PATHS_MAX] + (["..."] if len(paths) > PATHS_MAX else [])


def _paths(
    program: Program, type: Type, path: str, above: tuple[Ref, ...], paths: list[str]
) -> None:
    if len(paths) > PATHS_MAX:
        return
    inside = held_children(type)
    if isinstance(type, ClassType):
        if type.ref in above or len(above) == DEPTH_MAX:
            paths.append(f"{path}...")
            return
        for field in program.classes[type.ref].fields:
            if field.role == "donated":
                inner = (*above, type.ref)
                _paths(program, field.type, f"{path}.{field.name}", inner, paths)
    elif isinstance(type, Mapping):
        _paths(program, type.value, f"{path}[...]", above, paths)
    elif inside:
        is_container = isinstance(type, Sequence | FixedTuple)
        for part in inside:
            before = len(paths)
            _paths(program, part, f"{path}[...]" if is_container else path, above, paths)
            paths[before:] = [one for one in paths[before:] if one not in paths[:before]]
    elif not isinstance(type, NoneType):
        paths.append(path)


def function_entry(program: Program, links: Links, function: Function) -> PageEntry:
    """Return the page entry of a function.

    def step(plate: donated[Plate]) -> Plate    ->    PageEntry("step", ..., facts={"Consumes": ...})
    """
    consumed = [code(path) for path in consumed_paths(program, function)]
    facts = {
        "Runs": [code(function.impl.path)],
        "Consumes": consumed or [span("nothing")],
        "Returns": [links.type(function.returns)],
    }
    rows = tuple(_parameter(links, parameter) for parameter in function.parameters)
    return PageEntry(
        function.name,
        "function",
        code(f"def {function.name}") + signature(links, function),
        paragraphs(function.doc),
        facts,
        tables=(PageTable("Parameters", ("Name", "Role", "Type", "Default"), rows),)
        if rows
        else (),
    )


def _parameter(links: Links, parameter: Parameter) -> PageRow:
    assert parameter.role is not None, "it is no method"
    cells = (role(parameter.role), links.type(parameter.type), _default(parameter))
    return PageRow(code(parameter.name), cells)


def _default(node: Parameter | Field) -> Markup:
    return Markup() if node.default is None else code(value_text(node.default))


def signature(links: Links, function: Function) -> Markup:
    """Return the text that follows the name; for a property, only its type."""
    if function.kind == "property":
        return links.type(function.returns)
    parts: list[Markup] = []
    named = False
    for parameter in function.parameters:
        # After a `*`, all parameters are keyword-only.
        star = "*, " if parameter.keyword_only and not named else ""
        named = parameter.keyword_only
        parts.append(code(f"{', ' if parts else ''}{star}{parameter.name}: "))
        parts[-1] += links.type(parameter.type)
        if parameter.default is not None:
            parts[-1] += code(f" = {value_text(parameter.default)}")
    return code("(") + Markup().join(parts) + code(") -> ") + links.type(function.returns)


def class_entry(
    checked: Checked, relations: Relations, links: Links, node: Class, kind: str
) -> PageEntry:
    """Return the page entry of a class.

    class Plate: ...    ->    PageEntry("Plate", ..., facts={"Contained in": ...}, tree=(...), tables=(...))
    """
    return PageEntry(
        node.ref.name,
        kind,
        code(f"class {node.ref.name}"),
        paragraphs(node.doc),
        {name: items for name, items in _facts(checked, relations, links, node).items() if items},
        tree(checked.program, links, node),
        tuple(table for table in _tables(links, node) if table.rows),
    )


def _facts(
    checked: Checked, relations: Relations, links: Links, node: Class
) -> dict[str, list[Markup]]:
    ref = node.ref
    bases = [links.to(node.base.ref)] if node.base else []
    return {
        "Derives from": [*bases, *(code(one.local) for one in node.mixins)],
        "Subclasses": [links.to(one) for one in sorted(checked.program.graph.children[ref])],
        "Dimension parameters": [code(name) for name in node.dims],
        "Type parameters": [code(name) for name in node.type_parameters],
        "Contained in": [links.to(one, field=name) for one, name in relations.holders.get(ref, [])],
        "Parameter of": [
            _parameter_link(links, *taker) for taker in relations.accepting.get(ref, [])
        ],
        "Returned by": [links.to(one) for one in relations.returning.get(ref, [])],
        "Shares": [_share(share) for share in node.shares],
    }


def _parameter_link(links: Links, ref: Ref, function: Function, parameter: str) -> Markup:
    taken = next(one.role for one in function.parameters if one.name == parameter)
    return links.to(ref) + span(f" as {taken} ") + code(parameter)


def _share(share: ShareDecl) -> Markup:
    owner, *others = (".".join(path.parts) for path in share.paths)
    return code(owner) + span(" is also ") + code(", ".join(others))


def _tables(links: Links, node: Class) -> Iterator[PageTable]:
    yield PageTable(
        "Fields",
        ("Name", "Role", "Type", "Default", "Meaning"),
        tuple(_field(links, node, field) for field in node.fields),
    )
    yield PageTable(
        "Class constants",
        ("Name", "Type", "Value", "Meaning"),
        tuple(
            PageRow(
                code(one.name), (links.type(one.type), code(value_text(one.value)), words(one.doc))
            )
            for one in node.constants
        ),
    )
    yield PageTable(
        "Methods and properties",
        ("Name", "Signature", "Meaning"),
        tuple(
            PageRow(code(one.name), (signature(links, one), words(one.doc))) for one in node.methods
        ),
    )


def _field(links: Links, node: Class, field: Field) -> PageRow:
    meaning = words(field.doc)
    if field.owner != node.ref:
        meaning += span(" (from ") + links.to(field.owner) + span(")")
    cells = (role(field.role), links.type(field.type), _default(field), meaning)
    return PageRow(code(field.name), cells, f"{node.ref.name}.{field.name}")
