"""Check the arguments and the result of a function against its declaration.

    shapes = {"x": array("float32", "n"), "return": array("float32", "n")}
    check = CallCheck("step", shapes)
    check.arguments({"x": x, "n": 3})   # ValueError: axis 0 of `x` ...
    check.result(result)

Arrays, containers of arrays and static integers of one call share their dimensions: `n`
is one size. Each object is checked by itself, so a function may take a fine grid and
return a coarse one. A dimension that all argument objects agree on also applies to the
arrays beside them. Within `jax.shard_map` arrays are shards of the declared arrays, so
only dtypes and ranks are checked. `Any` declares nothing, so its content is not
checked: it may hold gradients and moments of another dtype, or with gaps.
"""

import contextlib
import itertools
from collections.abc import Collection, Mapping
from typing import Any

import jax

from ..declared import Declared, Dim, Opaque, Part, Shape, Shaped
from ..keys.names import is_generated
from ..shapes import SizeFacts
from ..shapes.dimensions import (
    MeasuredAxis,
    Sizes,
    Substitution,
    names_in_dim,
    names_in_shape,
    substitute,
)


class _ObjectFacts(SizeFacts):
    """Sizes that an object of a call determines.

    `jax.export` creates symbolic sizes, so some cannot be computed.
    """

    is_open = True

    def value(self, shape: Shape, value: object, path: str) -> None:
        """Collect the sizes of one value."""
        if shape != Opaque():
            super().value(shape, value, path)


class _DimensionNames(_ObjectFacts):
    """The names of the dimensions in the arguments of a call."""

    def array(self, shape: Shaped, value: object, path: str) -> None:
        """Record the names in the declared shape of an array, whatever the array is."""
        self.names.update(*map(names_in_dim, shape.dims))


class _CallFacts(_ObjectFacts):
    """Sizes that the values of a call determine."""

    def __init__(self, without: Collection[Dim] = ()) -> None:
        super().__init__()
        self.without = without
        mesh = jax.sharding.get_abstract_mesh()
        self.is_partial = jax.sharding.AxisType.Manual in mesh.axis_types
        # The sizes of each object that was checked by itself.
        self.found: list[Sizes] = []

    def part(self, part: Part | None, value: object, path: str) -> None:
        """Check an object by itself, unless the function names its dimensions."""
        if names_in_shape(part) or not is_generated(value):
            super().part(part, value, path)
            return
        own = _ObjectFacts()
        own.without, own.is_partial = self.without, self.is_partial
        own.part(part, value, path)
        self.found.append(own.solve(Sizes()))


class CallCheck:
    """The check of one call of a function, which runs while JAX traces it."""

    def __init__(self, name: str, shapes: Mapping[str, Declared]) -> None:
        """Create a check of the declared types of arguments, and of the result ("return")."""
        self._name = name
        self._shapes = {
            name: substitute(one, Substitution()) for name, one in shapes.items()
        }
        self._integers: list[MeasuredAxis] = []
        self._sizes = Sizes()
        self._without: Collection[Dim] = ()

    def arguments(self, values: Mapping[str, Any]) -> None:
        """Check the arguments, which determine the sizes of dimensions.

        A static integer is a size if a dimension has its name.

        Raises:
            ValueError: a dtype or shape is not as declared
        """
        self._integers = [
            MeasuredAxis(name, value, f"`{name}`")
            for name, value in values.items()
            if type(value) is int and name not in self._shapes
        ]
        self._check(values)

    def fits_without_axes(self, values: Mapping[str, Any]) -> bool:
        """Return whether all arrays lack the axes of one or two dimensions, and are
        right otherwise.

        This is so within `jax.vmap(f, in_axes=(plate.axes("nx"),))`. The result is
        checked in the same way.
        """
        facts = _DimensionNames()
        for name, value in values.items():
            facts.value(self._shapes.get(name, Opaque()), value, name)
        names = sorted(facts.names)
        for dims in (*zip(names), *itertools.combinations(names, 2)):
            self._without = dims
            with contextlib.suppress(ValueError):
                self._check(values)
                return True
        return False

    def result(self, result: object) -> None:
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
            self._sizes = facts.solve(known)
        except ValueError as error:
            raise ValueError(f"`{self._name}`: {error}") from None


def _agreed(all_sizes: list[Sizes]) -> Sizes:
    """Return the sizes of dimensions on which all objects that have them agree."""
    agreed, differing = Sizes(), set[str]()
    for sizes in all_sizes:
        for name, (size, where) in sizes.items():
            if agreed.setdefault(name, (size, where))[0] != size:
                differing.add(name)
    return Sizes({name: agreed[name] for name in agreed.keys() - differing})
