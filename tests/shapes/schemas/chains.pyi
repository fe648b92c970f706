"""Classes below the one that a holder declares."""

from typing import Generic, TypeVar

from codegen.schema import Dim, dynamic, f32

T = TypeVar("T")
U = TypeVar("U")

x = Dim(mesh="rows")
y = Dim(mesh="cols")
z = Dim()
a = Dim()
b = Dim()
c = Dim()

class Base(dims=(a, b)):
    w: dynamic[f32[a, b]]

class Turned(Base[b, a], dims=(a, b)):
    """Its base's names, the other way round."""

    v: dynamic[f32[a, b]]

class Back(Turned[b, a], dims=(a, b)):
    u: dynamic[f32[a, b]]

class Renamed(Base[c, a], dims=(a, c)):
    v: dynamic[f32[a, c]]

class Plus(Base[a + 1, a], dims=(a,)):
    v: dynamic[f32[a]]

class Square(Base[a, a], dims=(a,)):
    v: dynamic[f32[a]]

class Ten(Base[b, 10], dims=(b,)):
    v: dynamic[f32[10, b]]

class Named(Base[z, b], dims=(b,)):
    """A name that is no parameter is one size in all of the object."""

    v: dynamic[f32[z, b]]

class Some(Base[_, b], dims=(b,)):
    v: dynamic[f32[b]]

class Kept(Base):
    """Has its base's parameters."""

    v: dynamic[f32[b]]

class Anew(Base[b, a], dims=(a, b)):
    """Declares a field of its base again, in its own terms."""

    w: dynamic[f32[b, a]]

class Between(Turned[x, 3]):
    """Without parameters."""

class Last(Between, dims=(a,)):
    t: dynamic[f32[3, x]]
    u: dynamic[f32[a]]

class Hold:
    p: dynamic[Base[x, y]]
    q: dynamic[f32[z] | None] = None

class Row:
    ps: dynamic[tuple[Base[x, y], ...]]

class Either:
    p: dynamic[Base[x, y] | f32[y] | None]

class Turn:
    """Speaks of the class between."""

    p: dynamic[Turned[x, y]]

class Box(Generic[T]):
    t: dynamic[T]

class Sized(Box[T], Generic[T], dims=(a,)):
    s: dynamic[f32[a]]

class Other(Sized[_, U], Generic[U, T]):
    """Other names for the same types."""

    more: dynamic[tuple[U, ...]] = ()
    free: dynamic[T | None] = None

class Sure(Box[f32[z]], Generic[T]):
    """Says itself what its base holds."""

    s: dynamic[T]

class Boxes:
    p: dynamic[Box[Base[x, y]]]
    q: dynamic[Box[f32[y]] | None] = None
    r: dynamic[f32[y] | None] = None

class Surface(abstract=True, dims=(a, b), use="dynamic"):
    """Its subclasses have its dimensions under other names."""

    w: dynamic[f32[a, b]]

class Flipped(Surface[b, a], dims=(a, b)):
    v: dynamic[f32[a, b]]

class Shifted(Surface[c, a], dims=(a, c)):
    v: dynamic[f32[a, c]]

class Covered:
    surface: dynamic[Surface[x, y]]
    q: dynamic[f32[x, y]]

class Shelf(Generic[T], abstract=True, use="dynamic"):
    t: dynamic[T]

class OwnShelf(Shelf[T], Generic[T]):
    pass

class OtherShelf(Shelf[T], Generic[T], dims=(a,)):
    s: dynamic[f32[a]]

class Shelves:
    shelf: dynamic[Shelf[f32[x, y]]]
    q: dynamic[f32[x, y]]
