from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from codegen.schema import Dim, dynamic, f32, field, identity, static

n = Dim()

class Part:
    x: dynamic[f32[n]]

class Identities:
    executor: static[identity[Executor]]
    function: static[identity[Callable[[f32[n]], Part]]]
    maybe: static[identity[Any] | None] = None
    several: static[tuple[identity[dict[str, Part]], ...]] = ()
    client: static[identity[Any]] = field(factory="heat_model:name")
