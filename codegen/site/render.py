"""Print the pages of a site; every text is escaped on the way.

render_site((Page("index.html", ...),))    ->    (Rendered("index.html", ...), Rendered("style.css", ...))
"""

from __future__ import annotations

from collections.abc import Sequence

from codegen.emit.render import environment, template_text
from codegen.emit.rendered import Rendered
from codegen.site.nodes import Page

# Printed as they are.
_PLAIN = ("search.js", "style.css")


def render_site(pages: Sequence[Page]) -> tuple[Rendered, ...]:
    """Return every file of the site, sorted by path."""
    own = environment().overlay(autoescape=True)
    files = [
        Rendered(page.path, own.get_template(page.template).render(view=page)) for page in pages
    ]
    files += [Rendered(name, template_text(f"docs/{name}")) for name in _PLAIN]
    return tuple(sorted(files, key=lambda file: file.path))
