"""Classes with type parameters, and what their holders say they are."""

from typing import Any, Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, i32, static

T = TypeVar("T")
U = TypeVar("U")

n = Dim(mesh="rows")
m = Dim()
k = Dim()

class Box(Generic[T]):
    """One of something, and more of it."""

    item: dynamic[T]
    more: dynamic[tuple[T, ...]] = ()
    maybe: dynamic[T | None] = None

class Pair(Generic[T, U]):
    """Boxes of two sorts."""

    first: donated[Box[T]]
    second: dynamic[dict[str, Box[U]]]

class Linear(dims=(k,)):
    """Square."""

    w: donated[f32[k, k]]

class Labelled(Box[T], Generic[T, U]):
    """A box with a label."""

    label: dynamic[U]

class Sorted(Box[f32[4]], Generic[T]):
    """A box of one sort, whose own parameter is called as its base's is."""

    by: dynamic[T]

class Holder:
    """Says what is in its boxes."""

    u: donated[f32[n, m]]
    boxed: donated[Box[f32[m, n]]]
    pair: dynamic[Pair[i32[n], Linear[m]]]
    any: dynamic[Box[Any] | None] = None
    numbers: dynamic[Box[float] | None] = None
    size: static[int] = 0
