from collections.abc import Callable
from concurrent.futures import Executor

import model_tools
from codegen.schema import f32, identity, static

class Model:
    a: static[identity[Executor]] = None
    b: static[identity[Callable[[f32], f32]]] = 3
    c: static[identity[Executor]] = model_tools.EXECUTOR
