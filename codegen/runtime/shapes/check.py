# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Hold an object against the shapes that its schema declares.

    check_shapes(plate)     # ValueError: axis 1 of `Plate.alpha` has the size 32, ...

A walk through the object looks at every array's dtype and rank, and collects what its axes
and its static integers say of the sizes. They are brought together then: static values
first, then axes with a plain name, then arithmetic, which is solved where one name is left.
Everything is in the terms of the outermost class: what a part's class calls its parameters
follows from its holder, and what its bases call theirs from the class below, or above.
"""

import importlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np

from ..keys.messages import a_or_an, shown, shown_shape
from ..keys.names import KINDS, has_dtype, is_generated, is_kind
from .declared import Dim, Part
from .sizes import (
    Axis,
    Contradiction,
    Sizes,
    in_terms,
    integers,
    names_of,
    shown_array,
    shown_axes,
)

_WEAK: Final[dict[str, tuple[type[Any], type[Any]]]] = {
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "float": (float, np.floating),
    "complex": (complex, np.complexfloating),
}
_NUMBERS: Final = (bool, int, float, complex)
_TO_CONSTRUCTOR: Final = (
    "give it to the constructor or `replace`, which make an array of it"
)
_TO_ARRAY: Final = "make an array of it, as by `jnp.asarray`"


def check_shapes(obj: Any) -> None:
    """Refuse an object whose arrays are not as declared.

    Raises:
        ValueError: says the field by its path, and what was expected and found
    """
    walk = Walk()
    walk.part(None, obj, type(obj).__qualname__, Terms({}, {}))
    try:
        settle(walk, Sizes(), walk.named())
    except Contradiction as error:
        raise ValueError(str(error)) from None


class Terms(NamedTuple):
    """What a class's parameters are: dimensions, and types with what they are written in.

    Of a type, its holder and a class that derives from it may both say something.
    """

    dims: dict[str, Dim]
    types: "dict[str, list[tuple[Any, Terms]]]"


class Walk:
    """What an object says of sizes, in the terms of the outermost class."""

    def __init__(self) -> None:
        self.statics: list[Axis] = []
        self.axes: list[Axis] = []
        # What two classes say of one size.
        self.equal: list[tuple[Dim, Dim, str]] = []
        # What holders call the parameters of their parts' classes.
        self.given: set[str] = set()
        # For each value of a union, what it says if it is of each type that it fits.
        self.choices: list[list[Walk]] = []

    def named(self) -> set[str]:
        """Return the names of the dimensions in what has been seen."""
        dims = [axis.dim for axis in self.axes]
        dims += [dim for one, other, _ in self.equal for dim in (one, other)]
        found = {name for dim in dims for name in names_of(dim)} | self.given
        return found.union(*(w.named() for walks in self.choices for w in walks))

    def value(self, shape: Any, value: Any, path: str, terms: Terms) -> None:
        """Look at one value; shapes are known by name, as another package has its own."""
        match type(shape).__name__:
            case "Shaped":
                self.array(shape, value, path, terms)
            case "Part":
                self.part(shape, value, path, terms)
            case "AnyOf":
                self.any_of(shape, value, path, terms)
            case "Weak":
                kind, parent = _WEAK[shape.kind]
                if type(value) is not kind and not (
                    getattr(value, "shape", None) == () and is_kind(value.dtype, parent)
                ):
                    expected = f"{a_or_an(shape.kind, '')} or a 0-d array of it"
                    refuse(path, expected, value)
            case "Given":
                for meant, written_in in terms.types.get(shape.parameter, ()):
                    if type(meant).__name__ == "Shaped" and isinstance(value, _NUMBERS):
                        # The constructor of a generic class does not know its dtype.
                        array = shown_array(meant.dtype, meant.dims)
                        refuse(path, array, value, _TO_ARRAY)
                    self.value(meant, value, path, written_in)
            case "Each":
                if not isinstance(value, Mapping | tuple | list):
                    refuse(path, "a container of what is declared", value)
                items = (
                    value.items() if isinstance(value, Mapping) else enumerate(value)
                )
                for key, item in items:
                    self.value(shape.item, item, f"{path}[{key!r}]", terms)
            case "Items":
                if not isinstance(value, tuple) or len(value) != len(shape.items):
                    refuse(path, f"a tuple of {len(shape.items)}", value)
                for i, (part, item) in enumerate(zip(shape.items, value, strict=True)):
                    self.value(part, item, f"{path}[{i}]", terms)
            case _:
                # Nothing is declared of it here; an object of another package says itself.
                if is_generated(value):
                    self.part(Part(), value, path, terms)

    def array(self, shape: Any, value: Any, path: str, terms: Terms) -> None:
        """Look at an array: its dtype, its rank, and the declared dimension of each axis."""
        sizes = getattr(value, "shape", None)
        if not isinstance(sizes, tuple) or not hasattr(value, "dtype"):
            refuse(path, shown_array(shape.dtype, shape.dims), value)
        if not has_dtype(value.dtype, shape.dtype):
            _refuse_array(path, shape, value, _dtype_advice(value, shape.dtype))
        many = [i for i, dim in enumerate(shape.dims) if _is_variadic(dim)]
        extra = len(sizes) - len(shape.dims)
        if extra < -1 if many else extra:
            _refuse_array(path, shape, value, "another number of axes")
        dims = list(shape.dims)
        if many:
            first, last = many[0], many[0] + extra + 1
            if dims[first] != "...":
                where = shown_axes(first, last, path)
                self.axes.append(Axis(dims[first], sizes[first:last], where))
            dims[first : first + 1] = ["_"] * (extra + 1)
        for i, (written, size) in enumerate(zip(dims, sizes, strict=True)):
            dim = in_terms(written, terms.dims)
            if dim != "_":
                self.axes.append(Axis(dim, size, f"axis {i} of `{path}`"))

    def any_of(self, shape: Any, value: Any, path: str, terms: Terms) -> None:
        """Look at a value of one of several types."""
        options = [option for option in shape.options if option is not None]
        if value is None and len(options) < len(shape.options):
            return
        if len(options) == 1:
            self.value(options[0], value, path, terms)
            return
        unions = importlib.import_module("..unions", __package__)
        unions.any_of(self, options, value, path, terms)

    def part(self, part: Any, value: Any, path: str, terms: Terms) -> None:
        """Look at an object; `part` is what its holder says of it, None of the outermost."""
        record = getattr(type(value), "__codegen_record__", None)
        if record is None:
            refuse(path, "an object of a generated class", value)
        shapes, own = record.shapes, record.schema
        found = self.terms(record, part, path, terms)
        written = {f: name for name, base in shapes.bases.items() for f in base.fields}
        for name in record.meta_fields:
            dims = found[written.get(name, own)].dims
            for inner, size, where in integers(name, getattr(value, name), path):
                self.statics.append(Axis(in_terms(inner, dims), size, f"`{where}`"))
        for name, shape in shapes.fields.items():
            field_terms = found[written.get(name, own)]
            self.value(shape, getattr(value, name), f"{path}.{name}", field_terms)

    def terms(
        self, record: Any, part: Any, path: str, holder: Terms
    ) -> dict[str, Terms]:
        """Return the terms of an object's class and of each of its bases."""
        held = Terms({}, {})
        if part is not None:
            dims = {name: in_terms(dim, holder.dims) for name, dim in part.dims.items()}
            self.given |= {name for dim in dims.values() for name in names_of(dim)}
            held = Terms(dims, {n: [(s, holder)] for n, s in part.types.items()})
        shapes, of = record.shapes, getattr(part, "of", None)
        free = {n: n if part is None else f"{n}@{path}" for n in shapes.parameters}
        if shapes.bases:
            generics = importlib.import_module("..generics", __package__)
            found: dict[str, Terms] = generics.terms_of(
                self, record, of, held, free, path
            )
            return found
        known = held if of == record.schema else Terms({}, {})
        return {record.schema: Terms({**free, **known.dims}, known.types)}


# --- bringing together


def settle(walk: Walk, sizes: Sizes, named: set[str]) -> None:
    """Bring everything together, what is certain first.

    Args:
        walk: what an object says
        sizes: what is known already, to which is added
        named: the names of dimensions; integers that are called otherwise are no sizes
    """
    statics = [axis for axis in walk.statics if _is_size(axis.dim, named)]
    waiting = [
        axis
        for axes in (statics, walk.axes)
        # Those of a plain name first, since the others need its size.
        for axis in sorted(axes, key=lambda axis: not isinstance(axis.dim, str))
        if not sizes.settle(axis)
    ]
    equal = walk.equal
    learning = True
    while learning and (waiting or equal):
        left = [axis for axis in waiting if not sizes.settle(axis)]
        open_ = [pair for pair in equal if not sizes.equal(*pair)]
        learning = len(left) < len(waiting) or len(open_) < len(equal)
        waiting, equal = left, open_
    if walk.choices:
        unions = importlib.import_module("..unions", __package__)
        unions.choose(walk.choices, sizes, named)
    for axis in waiting:
        if not sizes.settle(axis):
            sizes.refuse_unknown(axis)


def _is_size(dim: Dim, named: set[str]) -> bool:
    names = names_of(dim)
    # What a class calls its own parameter carries its path.
    return "_" not in names and all(name in named or "@" in name for name in names)


# --- errors


def _is_variadic(dim: Dim) -> bool:
    return str(dim)[0] in "*."


def _dtype_advice(value: Any, declared: str) -> str:
    if declared == "key":
        return "make one by `jax.random.key`, or `jax.random.wrap_key_data(...)` of it"
    if declared in KINDS or not hasattr(value, "astype"):
        return "another dtype"
    return f"give `.astype({declared!r})` of it"


def _refuse_array(path: str, shape: Any, value: Any, advice: str) -> NoReturn:
    raise ValueError(
        f"`{path}` is declared as {shown_array(shape.dtype, shape.dims)}, but is {shown_shape(value)}: "
        f"{advice}"
    )


def refuse(
    path: str, expected: str, value: Any, of_number: str = _TO_CONSTRUCTOR
) -> NoReturn:
    text = f"`{path}` is declared as {expected}, but is {shown(value)}"
    if isinstance(value, _NUMBERS):
        text += f": {of_number}"
    raise ValueError(text)
