"""Print the view of the laws, and copy the files that support them.

render_laws(LawsView(...))    ->    (Rendered("_laws/draw.py", ...), Rendered("test_heat_laws.py", ...), ...)
"""

from __future__ import annotations

from codegen import installation
from codegen.emit.render import environment
from codegen.emit.rendered import Rendered, with_header
from codegen.emit.view import PackageView
from codegen.emit.wrap import wrap
from codegen.laws.nodes import LawModuleView, LawsView, StrategyModuleView

# They are for Python 3.11 too, whatever version their users lint for.
_PRAGMA = "# ruff: noqa: RUF100, UP036, UP037, UP040, UP046, UP047\n"


def render_laws(view: LawsView) -> tuple[Rendered, ...]:
    """Return every file that a build writes into the folder of laws, sorted by path."""
    files = [_file(module) for module in view.modules]
    files += [_file(package) for package in view.packages]
    files += [
        Rendered(f"_laws/{file.name}", with_header(_PRAGMA + file.read_text(encoding="utf-8")))
        for file in (installation.package() / "_laws").iterdir()
        if file.name.endswith(".py")
    ]
    return tuple(sorted(files, key=lambda file: file.path))


def _file(view: LawModuleView | StrategyModuleView | PackageView) -> Rendered:
    flat = environment().get_template(view.template).render(view=view)
    return Rendered(view.path, with_header(wrap(flat)))
