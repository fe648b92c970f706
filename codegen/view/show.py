"""What the templates get, as text, for `codegen show --stage view`.

ModuleView path='heat.py'
  definitions: EnumView name='Scheme' base='Enum'
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from codegen.dump import Wanted, dump
from codegen.view.nodes import (
    ClassView,
    Definition,
    EnumView,
    FunctionView,
    ModuleView,
    ProgramView,
)


def show(view: ProgramView, wanted: Wanted) -> str:
    """The modules, or the definitions of them, that are wanted."""
    return "".join(f"{line}\n" for module in view.modules for line in _module(module, wanted))


def _module(module: ModuleView, wanted: Wanted) -> Iterator[str]:
    name = module.path.removesuffix(".py").replace("/", ".")
    if not wanted.module(name):
        return
    kept = tuple(d for d in module.definitions if wanted.one(name, _declared(d)))
    shown = replace(module, definitions=kept)
    if not wanted.whole(name):
        shown = replace(shown, doc="", imports=(), late=(), all_names="")
    yield from dump(shown, lambda _: None)


def _declared(definition: Definition) -> str:
    match definition:
        case EnumView() | FunctionView() | ClassView():
            return definition.name
        case _:
            return ""
