"""Identity of what has no `==` of its own."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from codegen.schema import f32, field, identity, static

class Bar:
    executor: static[identity[Executor]]
    function: static[identity[Callable[[f32], f32]] | None] = None
    anything: static[identity[Any]] = field(factory="models:client")
    table: static[identity[dict[str, int]]]
