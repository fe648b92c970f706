"""Find out the size of every dimension of an object, and what contradicts it.

    sizes = Sizes()
    sizes.settle(Measured("nx", 64, "`Plate.grid.nx`"))     # True
    sizes.value(("nx", "+", 1))                         # 65

A dimension is as `declared.py` has it. A name that is a class's own carries its path
behind an `@`, since an object may hold several of the class.
"""

import operator
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn, TypeAlias

from ..declared import Dim
from .terms import names_of, shown_dim

Size: TypeAlias = int | tuple[int, ...]

_OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
}
_IMPOSSIBLE: Final = ", which no size of it gives"


class Contradiction(ValueError):
    """Two places say different sizes, or no size can be right."""


class Measured(NamedTuple):
    """One axis of an array, or a static value, with what it is declared to be."""

    dim: Dim
    size: Size
    where: str  # Example: "axis 0 of `Plate.u`"


class Same(NamedTuple):
    """What two classes say of one size."""

    one: Dim
    other: Dim
    where: str


class Sizes(dict[str, tuple[Size, str]]):
    """The sizes found so far, each with the place that said so."""

    def value(self, dim: Dim) -> Size | None:
        """Work a dimension out; None where a name in it is unknown."""
        if isinstance(dim, int):
            return dim
        if isinstance(dim, str):
            return self[dim][0] if dim in self else None
        left, right = self.value(dim[0]), self.value(dim[2])
        if not isinstance(left, int) or not isinstance(right, int):
            return None
        if dim[1] == "//" and not right:
            raise Contradiction(f"`{shown_dim(dim)}` divides by zero")
        return _OPERATIONS[dim[1]](left, right)

    def settle(self, fact: Measured | Same) -> bool:
        """Compare a fact with what is known, or learn from it; False: it is too early."""
        if isinstance(fact, Same):
            for dim, same in ((fact.one, fact.other), (fact.other, fact.one)):
                size = self.value(same)
                if size is not None and self.settle(Measured(dim, size, fact.where)):
                    return True
            return False
        expected = self.value(fact.dim)
        if expected is None:
            solved = self._solved(fact)
            if solved is None:
                return False
            name, size = solved
            self[name] = (size, fact.where)
        elif expected != fact.size:
            raise self._clash(fact, expected)
        return True

    def _solved(self, axis: Measured) -> tuple[str, Size] | None:
        """Solve for the only unknown name of a dimension."""
        dim, size = axis.dim, axis.size
        while not isinstance(dim, str):
            if isinstance(dim, int) or not isinstance(size, int):
                return None
            left, right = self.value(dim[0]), self.value(dim[2])
            is_left = isinstance(left, int)
            known = left if is_left else right
            if not isinstance(known, int) or dim[1] == "//":
                return None
            if dim[1] == "+":
                size -= known
            elif dim[1] == "-":
                size = known - size if is_left else size + known
            elif known and size % known == 0:
                size //= known
            elif size == 0:
                return None
            else:
                raise _contradicted(axis, _IMPOSSIBLE)
            dim = dim[2] if is_left else dim[0]
        if isinstance(size, int) and size < 0:
            raise _contradicted(axis, _IMPOSSIBLE)
        return dim, size

    def _clash(self, axis: Measured, expected: Size) -> Contradiction:
        reasons = " and ".join(
            f"`{shown_dim(name)}` is {self[name][0]} by {self[name][1]}"
            for name in names_of(axis.dim)
        )
        since = "but" if isinstance(axis.dim, str) else f"which is {expected}, since"
        return _contradicted(axis, f", {since} {reasons}" if reasons else "")

    def refuse_unknown(self, axis: Measured) -> NoReturn:
        """Refuse an axis with a name whose size nothing says."""
        names = [shown_dim(n) for n in names_of(axis.dim) if n not in self]
        raise Contradiction(
            f"{axis.where} is declared as `{shown_dim(axis.dim)}`, but nothing binds "
            f"`{names[0]}`: give its class a field `{names[0]}: static[int]`, or an array "
            f"with `{names[0]}` alone as an axis"
        )


def _contradicted(axis: Measured, why: str) -> Contradiction:
    dim = shown_dim(axis.dim)
    has = f"{axis.where} has the size {axis.size}, and is declared as `{dim}`"
    return Contradiction(f"{has}{why}")
