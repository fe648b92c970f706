from collections.abc import Callable
from concurrent.futures import Executor

from codegen.schema import f32, identity, static

class Model:
    executor: static[identity[Executor]]
    function: static[identity[Callable[[f32], f32]] | None] = None
    several: static[tuple[identity[Executor], ...]] = ()
