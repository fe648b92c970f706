"""Convert a checked program to the pages of a site.

build(checked)    ->    (Page("index.html", ...), Page("modules/heat.html", ...))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import jinja2
from markupsafe import Markup

from codegen.check.check import Checked
from codegen.emit.render import environment, template_text
from codegen.emit.rendered import Rendered
from codegen.program.nodes import Alias, Dimension, Enum, Module
from codegen.program.show import value_text
from codegen.program.types import Ref
from codegen.site.entries import Relations, class_entry, find_relations, function_entry
from codegen.site.page import (
    Links,
    Page,
    PageEntry,
    PageRow,
    PageTable,
    code,
    page_of,
    paragraphs,
    span,
    summary,
    words,
)

INDEX = "index.html"


def build(checked: Checked) -> tuple[Page, ...]:
    """Return the page of all declarations, and one page per module.

    build(checked)    ->    (Page("index.html", ...), Page("modules/heat.html", ...))
    """
    relations = find_relations(checked.program)
    modules = [module for module in checked.program.modules if _is_shown(module)]
    return (
        _index(checked, modules),
        *(_module(checked, relations, module, modules) for module in modules),
    )


def _is_shown(module: Module) -> bool:
    return bool(module.doc or module.defined_names or module.dims)


def _nav(links: Links, modules: list[Module]) -> tuple[tuple[str, Mapping[str, str]], ...]:
    pages = [("All", INDEX), *((module.name, page_of(module.name)) for module in modules)]
    here = {"aria-current": "page"}
    return tuple(
        (name, {"href": links.href(path)} | (here if path == links.path else {}))
        for name, path in pages
    )


def _index(checked: Checked, modules: list[Module]) -> Page:
    links = Links(INDEX)
    rows: dict[tuple[str, str, str], PageRow] = {}
    for module in modules:
        declared = [
            *((node.ref.name, _kind(checked, node.ref), node.doc) for node in module.classes),
            *((enum.ref.name, "enum", enum.doc) for enum in module.enums),
            *((alias.ref.name, "alias", alias.doc) for alias in module.aliases),
            *((function.name, "function", function.doc) for function in module.functions),
        ]
        for name, kind, doc in declared:
            cells = (span(kind), links.module(module.name), summary(doc))
            place = (name.casefold(), name, module.name)
            rows[place] = PageRow(links.to(Ref(module.name, name)), cells)
    table = PageTable(
        "All declarations of the schemas",
        ("Name", "Kind", "Module", "Meaning"),
        tuple(rows[place] for place in sorted(rows)),
    )
    nav = _nav(links, modules)
    return Page(INDEX, "docs/index.html.jinja", "Schemas", links.up, nav, tables=(table,))


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
    sections = {
        "Classes": classes,
        "Functions": [function_entry(checked.program, links, one) for one in module.functions],
        "Enums": [_enum(enum) for enum in module.enums],
        "Aliases": [_alias(links, alias) for alias in module.aliases],
    }
    return Page(
        links.path,
        "docs/module.html.jinja",
        module.name,
        links.up,
        _nav(links, modules),
        paragraphs(module.doc),
        {title: entries for title, entries in sections.items() if entries},
        _dimensions(module.dims),
    )


def _row(name: str, value: str, doc: str) -> PageRow:
    return PageRow(code(name), (code(value) if value else Markup(), words(doc)))


def _enum(enum: Enum) -> PageEntry:
    rows = [
        _row(member.name, "" if member.value is None else value_text(member.value), member.doc)
        for member in enum.members
    ]
    return PageEntry(
        enum.ref.name,
        "enum",
        code(f"class {enum.ref.name}({enum.kind})"),
        paragraphs(enum.doc),
        tables=(PageTable("Members", ("Name", "Value", "Meaning"), tuple(rows)),),
    )


def _alias(links: Links, alias: Alias) -> PageEntry:
    head = code(f"{alias.ref.name} = ") + links.type(alias.type)
    return PageEntry(alias.ref.name, "alias", head, paragraphs(alias.doc))


def _dimensions(dims: tuple[Dimension, ...]) -> tuple[PageTable, ...]:
    """Return one table of all dimensions: a dimension is only a name, and nothing links to it."""
    rows = tuple(_row(dim.name, ", ".join(dim.mesh), dim.doc) for dim in dims)
    return (PageTable("Dimensions", ("Name", "Mesh axes", "Meaning"), rows),) if rows else ()


# Copied unchanged.
_PLAIN = ("search.js", "style.css")


def render_site(pages: Sequence[Page]) -> tuple[Rendered, ...]:
    """Return every file of the site, sorted by path.

    render_site((Page("index.html", ...),))    ->    (Rendered("index.html", ...), Rendered("style.css", ...))
    """
    own = _page_environment()
    files = [
        Rendered(page.path, own.get_template(page.template).render(view=page)) for page in pages
    ]
    files += [Rendered(name, template_text(f"docs/{name}")) for name in _PLAIN]
    return tuple(sorted(files, key=lambda file: file.path))


@cache
def _page_environment() -> jinja2.Environment:
    """Return the environment of pages, which keeps its compiled templates."""
    return environment().overlay(autoescape=True)
