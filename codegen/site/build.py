"""A checked program to its pages.

build(checked)    ->    (Page("index.html", ...), Page("modules/heat.html", ...))
"""

from __future__ import annotations

from collections.abc import Sequence

from codegen.check.check import Checked
from codegen.emit.render import environment, template_text
from codegen.emit.rendered import Rendered
from codegen.program.nodes import Alias, Dimension, Enum, Module
from codegen.program.show import value_text
from codegen.program.types import Ref
from codegen.site.entries import Relations, class_entry, find_relations, function_entry
from codegen.site.page import (
    Links,
    NavItem,
    Page,
    PageEntry,
    Piece,
    Row,
    Section,
    Table,
    code,
    page_of,
    paragraphs,
    span,
    summary,
    words,
)

INDEX = "index.html"


def build(checked: Checked) -> tuple[Page, ...]:
    """The page of all declarations, and one a module.

    build(checked)    ->    (Page("index.html", ...), Page("modules/heat.html", ...))
    """
    relations = find_relations(checked.program)
    modules = [module for module in checked.program.modules if _is_shown(module)]
    return (
        _index(checked, modules),
        *(_module(checked, relations, module, modules) for module in modules),
    )


def _is_shown(module: Module) -> bool:
    return bool(module.doc or module.declared or module.dims)


def _nav(links: Links, modules: list[Module]) -> tuple[NavItem, ...]:
    pages = [("All", INDEX), *((module.name, page_of(module.name)) for module in modules)]
    return tuple(
        NavItem(
            name,
            {"href": links.href(path)} | ({"aria-current": "page"} if path == links.path else {}),
        )
        for name, path in pages
    )


def _index(checked: Checked, modules: list[Module]) -> Page:
    links = Links(INDEX)
    rows: list[tuple[tuple[str, str, str], Row]] = []
    for module in modules:
        where = (Piece("a", module.name, {"href": links.href(page_of(module.name))}),)
        declared = [
            *((node.ref.name, _kind(checked, node.ref), node.doc) for node in module.classes),
            *((enum.ref.name, "enum", enum.doc) for enum in module.enums),
            *((alias.ref.name, "alias", alias.doc) for alias in module.aliases),
            *((function.name, "function", function.doc) for function in module.functions),
        ]
        rows += [
            (
                (name.casefold(), name, module.name),
                Row({}, (links.to(Ref(module.name, name)),), ((span(kind),), where, summary(doc))),
            )
            for name, kind, doc in declared
        ]
    return Page(
        INDEX,
        "docs/index.html.jinja",
        "Schemas",
        links.up,
        _nav(links, modules),
        (),
        tables=(
            Table(
                "Everything that the schemas declare",
                ("Name", "Kind", "Module", "Meaning"),
                tuple(row for _, row in sorted(rows, key=lambda pair: pair[0])),
            ),
        ),
    )


def _kind(checked: Checked, ref: Ref) -> str:
    node = checked.program.classes[ref]
    kind = "static class" if checked.facts.is_static(ref) else "pytree"
    return f"abstract {kind}" if node.abstract else kind


def _module(checked: Checked, relations: Relations, module: Module, modules: list[Module]) -> Page:
    links = Links(page_of(module.name))
    classes = [
        class_entry(checked, relations, links, node, _kind(checked, node.ref))
        for node in module.classes
    ]
    functions = [function_entry(checked.program, links, one) for one in module.functions]
    sections = (
        Section("section-classes", "Classes", tuple(classes)),
        Section("section-functions", "Functions", tuple(functions)),
        Section("section-enums", "Enums", tuple(_enum(enum) for enum in module.enums)),
        Section("section-aliases", "Aliases", tuple(_alias(links, one) for one in module.aliases)),
    )
    return Page(
        links.path,
        "docs/module.html.jinja",
        module.name,
        links.up,
        _nav(links, modules),
        paragraphs(module.doc),
        tuple(section for section in sections if section.entries),
        _dimensions(module.dims),
    )


def _row(name: str, value: str, doc: str) -> Row:
    return Row({}, (code(name),), ((code(value),) if value else (), words(doc)))


def _enum(enum: Enum) -> PageEntry:
    rows = [
        _row(member.name, "" if member.value is None else value_text(member.value), member.doc)
        for member in enum.members
    ]
    return PageEntry(
        {"id": enum.ref.name},
        enum.ref.name,
        "enum",
        (code(f"class {enum.ref.name}({enum.kind})"),),
        paragraphs(enum.doc),
        (),
        (),
        (Table("Members", ("Name", "Value", "Meaning"), tuple(rows)),),
    )


def _alias(links: Links, alias: Alias) -> PageEntry:
    head = (code(f"{alias.ref.name} = "), *links.type(alias.type))
    name = alias.ref.name
    return PageEntry({"id": name}, name, "alias", head, paragraphs(alias.doc), (), (), ())


def _dimensions(dims: tuple[Dimension, ...]) -> tuple[Table, ...]:
    """All of them in one table: a dimension is a word, and nothing links to it."""
    rows = tuple(_row(dim.name, ", ".join(dim.mesh), dim.doc) for dim in dims)
    return (Table("Dimensions", ("Name", "Mesh axes", "Meaning"), rows),) if rows else ()


# Printed as they are.
_PLAIN = ("search.js", "style.css")


def render_site(pages: Sequence[Page]) -> tuple[Rendered, ...]:
    """Return every file of the site, sorted by path.

    render_site((Page("index.html", ...),))    ->    (Rendered("index.html", ...), Rendered("style.css", ...))
    """
    own = environment().overlay(autoescape=True)
    files = [
        Rendered(page.path, own.get_template(page.template).render(view=page)) for page in pages
    ]
    files += [Rendered(name, template_text(f"docs/{name}")) for name in _PLAIN]
    return tuple(sorted(files, key=lambda file: file.path))
