from typing import Callable

from codegen.schema import f32, frozendict, identity, static

class Model:
    functions: static[tuple[frozendict[str, identity[Callable[[f32], f32]]], ...]]
