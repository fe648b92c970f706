"""What the templates get, as text, for `codegen show --stage view`.

ModuleView path='heat.py'
  definitions: EnumView name='Scheme' base='Enum'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from codegen.dump import dump
from codegen.view.nodes import ModuleView, ProgramView
from codegen.wanted import Wanted


def show(view: ProgramView, wanted: Wanted) -> str:
    """The modules, or the definitions of them, that are wanted."""
    return "".join(f"{line}\n" for module in view.modules for line in _module(module, wanted))


def _module(module: ModuleView, wanted: Wanted) -> Iterator[str]:
    name = module.path.removesuffix(".py").replace("/", ".")
    if not wanted.module(name):
        return
    kept = [d for d in module.definitions if wanted.one(name, getattr(d, "name", ""))]
    shown = replace(module, definitions=tuple(kept))
    if not wanted.whole(name):
        shown = replace(shown, doc=(), import_blocks=())
    yield from dump(shown, lambda _: None)
