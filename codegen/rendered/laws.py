"""Print the view of the laws, and copy the files that support them.

render_laws(LawsView(...))    ->    (Rendered("_laws/draw.py", ...), Rendered("test_heat_laws.py", ...), ...)
"""

from __future__ import annotations

from importlib import resources

from codegen.rendered.header import seal
from codegen.rendered.nodes import Rendered
from codegen.rendered.render import environment
from codegen.view.law_nodes import LawModuleView, LawsView, StrategyModuleView
from codegen.view.nodes import PackageView

# They are for Python 3.11 too, whatever version their users lint for.
_PRAGMA = "# ruff: noqa: RUF100, UP036, UP040, UP046, UP047\n"
_SUPPORT = ("__init__", "content", "draw", "extending", "laws", "recipes", "roles", "values")


def render_laws(view: LawsView) -> tuple[Rendered, ...]:
    """Return every file that a build writes into the folder of laws, sorted by path."""
    files = [_file(module) for module in view.modules]
    files += [_file(package) for package in view.packages]
    files += [Rendered(f"_laws/{name}.py", seal(_PRAGMA + _support(name))) for name in _SUPPORT]
    return tuple(sorted(files, key=lambda file: file.path))


def _file(view: LawModuleView | StrategyModuleView | PackageView) -> Rendered:
    return Rendered(view.path, seal(environment().get_template(view.template).render(view=view)))


def _support(name: str) -> str:
    return resources.files("codegen").joinpath("_laws", f"{name}.py").read_text(encoding="utf-8")
