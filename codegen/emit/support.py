"""The files beside the generated modules: the marker of typed packages, and the run time.

    runtime_copy()    ->    (Rendered("_runtime/__init__.py", ...), ...)

With `runtime = "vendored"`, the output holds a copy of the whole package `codegen/runtime`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources.abc import Traversable

from codegen import installation
from codegen.emit.rendered import Rendered, with_header
from codegen.options import Options

# The run time also supports Python 3.11, whatever version its users lint for. Much of its input,
# and of JAX's output, has no known type.
_RUNTIME_PRAGMA = """\
# ruff: noqa: RUF100, TID252, UP036, UP037, UP040, UP046, UP047
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""  # noqa: E501


def assemble(modules: Iterable[Rendered], options: Options) -> tuple[Rendered, ...]:
    """Add the marker of typed packages to modules and packages, and the run time where it is copied."""
    files = [Rendered("py.typed", ""), *modules]
    if options.runtime == "vendored":
        files += runtime_copy()
    return tuple(sorted(files, key=lambda f: f.path))


@cache
def runtime_copy() -> tuple[Rendered, ...]:
    """Return the copy of the run time."""
    return tuple(_copies(installation.package() / "runtime", "_runtime"))


def _copies(folder: Traversable, path: str) -> Iterator[Rendered]:
    for entry in folder.iterdir():
        inside = f"{path}/{entry.name}"
        if entry.is_dir():
            yield from _copies(entry, inside)
        elif entry.name.endswith(".py"):
            text = _RUNTIME_PRAGMA + entry.read_text(encoding="utf-8")
            yield Rendered(inside, with_header(text))
