"""A class on its module's page.

class Plate: ...    ->    Entry("Plate", ..., facts=(Fact("Held by", ...),), trees=(...), tables=(...))
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.nodes import Checked
from codegen.program.nodes import Class, Field, Function
from codegen.program.show import value_text
from codegen.program.types import Ref
from codegen.schema.nodes import ShareDecl
from codegen.site.functions import signature
from codegen.site.links import Links
from codegen.site.nodes import Entry, Fact, Row, Table, Text
from codegen.site.relations import Relations
from codegen.site.text import code, paragraphs, span, words
from codegen.site.trees import role, tree


def class_entry(
    checked: Checked, relations: Relations, links: Links, node: Class, kind: str
) -> Entry:
    """All that is known about a class."""
    facts = [fact for fact in _facts(checked, relations, links, node) if fact.items]
    trees = (tree(checked.program, links, node),) if node.fields else ()
    return Entry(
        {"id": node.ref.name},
        node.ref.name,
        kind,
        (code(f"class {node.ref.name}"),),
        paragraphs(node.doc),
        tuple(facts),
        trees,
        tuple(table for table in _tables(links, node) if table.rows),
    )


def _facts(checked: Checked, relations: Relations, links: Links, node: Class) -> Iterator[Fact]:
    bases = [(links.to(node.base.ref),)] if node.base else []
    yield Fact("Derives from", (*bases, *((code(one.local),) for one in node.mixins)))
    below = checked.program.graph.children[node.ref]
    yield Fact("Subclasses", tuple((links.to(ref),) for ref in sorted(below)))
    yield Fact("Dimensions as parameters", tuple((code(name),) for name in node.dims))
    yield Fact("Type parameters", tuple((code(name),) for name in node.type_parameters))
    held = relations.holders.get(node.ref, [])
    yield Fact("Held by", tuple((links.to(ref, field=name),) for ref, name in held))
    takers = relations.takers.get(node.ref, [])
    yield Fact("Taken by", tuple(_taker(links, *taker) for taker in takers))
    makers = relations.makers.get(node.ref, [])
    yield Fact("Returned by", tuple((links.to(ref),) for ref in makers))
    yield Fact("Shares", tuple(_share(share) for share in node.shares))


def _taker(links: Links, ref: Ref, function: Function, parameter: str) -> Text:
    taken = next(one.role for one in function.parameters if one.name == parameter)
    return (links.to(ref), span(f" as {taken} "), code(parameter))


def _share(share: ShareDecl) -> Text:
    owner, *others = (".".join(path.parts) for path in share.paths)
    return (code(owner), span(" is also "), code(", ".join(others)))


def _tables(links: Links, node: Class) -> Iterator[Table]:
    yield Table(
        "Fields",
        ("Name", "Role", "Type", "Default", "Meaning"),
        tuple(_field(links, node, field) for field in node.fields),
    )
    yield Table(
        "Class constants",
        ("Name", "Type", "Value", "Meaning"),
        tuple(
            Row(
                {},
                (code(one.name),),
                (links.type(one.type), (code(value_text(one.value)),), words(one.doc)),
            )
            for one in node.constants
        ),
    )
    yield Table(
        "Methods and properties",
        ("Name", "Signature", "Meaning"),
        tuple(
            Row({}, (code(one.name),), (signature(links, one), words(one.doc)))
            for one in node.methods
        ),
    )


def _field(links: Links, node: Class, field: Field) -> Row:
    origin: Text = ()
    if field.owner != node.ref:
        origin = (span(" (from "), links.to(field.owner), span(")"))
    cells = (
        (role(field.role),),
        links.type(field.type),
        () if field.default is None else (code(value_text(field.default)),),
        words(field.doc) + origin,
    )
    return Row({"id": f"{node.ref.name}.{field.name}"}, (code(field.name),), cells)
