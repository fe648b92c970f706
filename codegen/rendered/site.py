"""Print the pages of a site; every text is escaped on the way.

render_site((Page("index.html", ...),))    ->    (Rendered("index.html", ...), Rendered("style.css", ...))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import installation
from codegen.rendered.nodes import Rendered
from codegen.site.nodes import Page

if TYPE_CHECKING:
    import jinja2

# Printed as they are.
_PLAIN = ("search.js", "style.css")


def render_site(pages: Sequence[Page]) -> tuple[Rendered, ...]:
    """Return every file of the site, sorted by path."""
    environment = _environment()
    files = [
        Rendered(page.path, environment.get_template(page.template).render(view=page))
        for page in pages
    ]
    files += [Rendered(name, _load(f"docs/{name}")) for name in _PLAIN]
    return tuple(sorted(files, key=lambda file: file.path))


def _load(name: str) -> str:
    return Path(installation.templates(), name).read_text(encoding="utf-8")


def _environment() -> jinja2.Environment:
    # Imported late: a build does not render a site.
    import jinja2  # noqa: PLC0415

    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_load),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
