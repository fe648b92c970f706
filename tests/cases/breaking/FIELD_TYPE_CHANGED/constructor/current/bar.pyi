"""A module."""

from typing import Any

from codegen.schema import dynamic, f32, f64, field, static

class Foo:
    """A foo."""

    size: static[int]  # size

class Bar:
    """A bar."""

    narrowed: static[int]  # it takes no None any more
    widened: static[int | None]  # it takes all that it took
    other: static[Foo]  # it takes something else
    parts: dynamic[tuple[f32, ...]]  # in another container
    array: dynamic[f64 | None]  # any array is taken
    kept: static[tuple[int, ...]] = field(convert="heat_model:made_anew")
    lost: static[tuple[int, ...]]  # what is given has to be a tuple
    gained: static[tuple[int, ...]] = field(convert="heat_model:made")
    anything: static[Any]
