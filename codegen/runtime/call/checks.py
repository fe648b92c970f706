"""Check the arguments and the result of a function against its declaration.

    shapes = {"x": array("float32", "n"), "return": array("float32", "n")}
    check = CallCheck("step", shapes)
    check.arguments({"x": x, "n": 3})   # ValueError: axis 0 of `x` ...
    check.result(result)

Arrays, containers of arrays and static integers of one call share their dimensions: `n` is
one size. Each object is checked by itself, so that a function may take a fine grid and
return a coarse one. A dimension that all objects among the arguments agree on holds for
the arrays beside them too. Within `jax.shard_map` arrays are parts of what is declared, so
only dtypes and ranks are checked. `Any` declares nothing, so nothing in it is checked: gradients
and moments of another dtype, or with gaps, may be there.
"""

import contextlib
import itertools
from collections.abc import Collection, Mapping
from typing import Any

import jax

from ..declared import Declared, Dim, Opaque, Part, Shape, Shaped
from ..keys.names import is_generated
from ..shapes import SizeFacts
from ..shapes.terms import Measured, Sizes, Terms, named_in, names_of, substituted


class _ObjectFacts(SizeFacts):
    """What an object of a call says of sizes.

    Sizes may be symbolic, as `jax.export` makes them, so not all can be worked out.
    """

    is_open = True

    def value(self, shape: Shape, value: Any, path: str) -> None:
        """Look at one value."""
        if shape != Opaque():
            super().value(shape, value, path)


class _DimensionNames(_ObjectFacts):
    """The names of the dimensions of what a call is given."""

    def array(self, shape: Shaped, value: Any, path: str) -> None:
        """Note the names in an array's shape, whatever the array has."""
        self.names.update(*map(names_of, shape.dims))


class _CallFacts(_ObjectFacts):
    """What the values of a call say of sizes."""

    def __init__(self, without: Collection[Dim] = ()) -> None:
        super().__init__()
        self.without = without
        mesh = jax.sharding.get_abstract_mesh()
        self.is_partial = jax.sharding.AxisType.Manual in mesh.axis_types
        # Those of each object that was checked by itself.
        self.found: list[Sizes] = []

    def part(self, part: Part | None, value: Any, path: str) -> None:
        """Check an object, by itself unless the function names its dimensions."""
        if named_in(part) or not is_generated(value):
            super().part(part, value, path)
            return
        own = _ObjectFacts()
        own.without, own.is_partial = self.without, self.is_partial
        own.part(part, value, path)
        self.found.append(own.settled(Sizes()))


class CallCheck:
    """The check of one call of a function, while JAX traces it."""

    def __init__(self, name: str, shapes: Mapping[str, Declared]) -> None:
        """Check nothing yet.

        Args:
            name: the function's
            shapes: what is declared of the arrays in its arguments and result ("return")
        """
        self._name = name
        self._shapes = {name: substituted(one, Terms()) for name, one in shapes.items()}
        self._integers: list[Measured] = []
        self._sizes = Sizes()
        self._without: Collection[Dim] = ()

    def arguments(self, values: Mapping[str, Any]) -> None:
        """Check the arguments, which give sizes to dimensions.

        A static integer is a size if a dimension has its name.

        Raises:
            ValueError: a dtype or shape is not as declared
        """
        self._integers = [
            Measured(name, value, f"`{name}`")
            for name, value in values.items()
            if type(value) is int and name not in self._shapes
        ]
        self._check(values)

    def fits_without_axes(self, values: Mapping[str, Any]) -> bool:
        """Tell whether all arrays lack the axes of one or two dimensions, and fit else.

        So they are within `jax.vmap(f, in_axes=(plate.axes("nx"),))`. The result is checked
        in the same way.
        """
        facts = _DimensionNames()
        for name, value in values.items():
            facts.value(self._shapes.get(name, Opaque()), value, name)
        names = sorted(facts.names)
        for dims in (
            *itertools.combinations(names, 1),
            *itertools.combinations(names, 2),
        ):
            self._without = dims
            with contextlib.suppress(ValueError):
                self._check(values)
                return True
        return False

    def result(self, result: Any) -> None:
        """Check the result.

        Raises:
            ValueError: a dtype or shape is not as declared
        """
        self._check({"return": result})

    def _check(self, values: Mapping[str, Any]) -> None:
        facts = _CallFacts(self._without)
        facts.statics += self._integers
        try:
            for name, value in values.items():
                path = "result" if name == "return" else name
                facts.value(self._shapes.get(name, Opaque()), value, path)
            known = Sizes(self._sizes or _agreed(facts.found))
            self._sizes = facts.settled(known)
        except ValueError as error:
            raise ValueError(f"`{self._name}`: {error}") from None


def _agreed(found: list[Sizes]) -> Sizes:
    """Return the sizes that all objects agree on which have a dimension."""
    agreed, differing = Sizes(), set[str]()
    for sizes in found:
        for name, (size, where) in sizes.items():
            if agreed.setdefault(name, (size, where))[0] != size:
                differing.add(name)
    return Sizes({name: agreed[name] for name in agreed.keys() - differing})
