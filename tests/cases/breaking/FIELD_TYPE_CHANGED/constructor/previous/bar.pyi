"""A module."""

from typing import Any

from codegen.schema import dynamic, f32, field, static

class Foo:
    """A foo."""

    size: static[int]  # size

class Bar:
    """A bar."""

    narrowed: static[int | None]  # it takes no None any more
    widened: static[int]  # it takes all that it took
    other: static[int]  # it takes something else
    parts: dynamic[list[f32]]  # in another container
    array: dynamic[f32 | None]  # any array is taken
    kept: static[tuple[int, ...]] = field(convert="heat_model:made")
    lost: static[tuple[int, ...]] = field(convert="heat_model:made")
    gained: static[int]  # what is taken, the function knows
    anything: static[Any] = field(convert="heat_model:made")
