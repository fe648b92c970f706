# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Hold an object against the shapes that its schema declares.

    check_shapes(plate)     # ValueError: axis 1 of `Plate.alpha` has the size 32, ...

First every array's dtype and rank, then the sizes: static values say them first, then
axes with a plain name, then arithmetic, which is solved where one name is left.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from ..classes.split import is_of
from ..keys.dtypes import KINDS, has_dtype, is_kind
from ..keys.messages import a_or_an, shown, shown_shape
from .declared import Dim
from .sizes import (
    Axis,
    Contradiction,
    Sizes,
    by_kind,
    in_terms,
    integers,
    names_of,
    shown_array,
    shown_axes,
    shown_dim,
)
from .terms import Terms, terms_of

_WEAK: Final[dict[str, tuple[type[Any], type[Any]]]] = {
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "float": (float, np.floating),
    "complex": (complex, np.complexfloating),
}
# So many types are tried in vain before an object with unions is refused.
_CHOICES: Final = 1000
_NUMBERS: Final = (bool, int, float, complex)
_TO_CONSTRUCTOR: Final = (
    "give it to the constructor or `replace`, which make an array of it"
)
_TO_ARRAY: Final = "make an array of it, as by `jnp.asarray`"
_NOTHING_BINDS: Final = (
    "nothing binds `{name}`: give its class a field `{name}: static[int]`, or an array "
    "with `{name}` alone as an axis"
)


def check_shapes(obj: Any) -> None:
    """Refuse an object whose arrays are not as declared.

    Raises:
        ValueError: says the field by its path, and what was expected and found
    """
    name = type(obj).__qualname__
    walk = _Walk()
    walk.part(obj, name, None, Terms({}, {}))
    walk.forget_others(walk.named())
    try:
        _settle(walk, Sizes())
    except Contradiction as error:
        raise ValueError(str(error)) from None


# Dimensions in the terms of the outermost class; types each with what they are written in.
_Terms: TypeAlias = Terms[Dim, tuple[Any, Any]]


@dataclasses.dataclass(slots=True)
class _Walk:
    """What an object says of sizes, in the terms of the outermost class."""

    statics: list[Axis] = dataclasses.field(default_factory=list[Axis])
    axes: list[Axis] = dataclasses.field(default_factory=list[Axis])
    # What a part's class and the class that its holder declares say of one size.
    equal: list[tuple[Dim, Dim, str]] = dataclasses.field(
        default_factory=list[tuple[Dim, Dim, str]]
    )
    # The names that holders give to what their parts' classes call otherwise.
    given: set[str] = dataclasses.field(default_factory=set[str])
    # Values that fit several declared types, by dtype and rank.
    choices: list[list["_Walk"]] = dataclasses.field(
        default_factory=list[list["_Walk"]]
    )

    def value(self, shape: Any, value: Any, path: str, terms: _Terms) -> None:
        """Look at one value; shapes are known by name, as another package has its own."""
        look = _LOOK.get(type(shape).__name__)
        if look is not None:  # nothing is declared of what is opaque
            look(self, shape, value, path, terms)

    def part(self, value: Any, path: str, given: Any, terms: _Terms) -> None:
        """Look at an object; `given` says its parameters in the terms of its holder.

        The outermost object has no holder, and nothing is given.
        """
        record = getattr(type(value), "__codegen_record__", None)
        if record is None:
            _refuse(path, "an object of a generated class", value)
        shapes, own = record.shapes, record.name
        of, known = _given(given, terms)
        self.given |= {name for dim in known.dims.values() for name in names_of(dim)}
        found = terms_of(shapes, own, of, known, _Placing(self, path, given))
        written = {
            f: found[name] for name, base in shapes.bases.items() for f in base.fields
        }
        for name in record.meta_fields:
            dims = written.get(name, found[own]).dims
            for inner, size, where in integers(name, getattr(value, name), path):
                self.statics.append(Axis(in_terms(inner, dims), size, f"`{where}`"))
        for name, shape in shapes.fields.items():
            field, where = getattr(value, name), f"{path}.{name}"
            self.value(shape, field, where, written.get(name, found[own]))

    def named(self) -> set[str]:
        """Return the names of the dimensions in what has been seen."""
        dims = [axis.dim for axis in self.axes]
        dims += [dim for one, other, _ in self.equal for dim in (one, other)]
        found = {name for dim in dims for name in names_of(dim)} | self.given
        return found.union(*(w.named() for walks in self.choices for w in walks))

    def forget_others(self, named: set[str]) -> None:
        """Forget the integers that are called like no dimension."""
        self.statics = [axis for axis in self.statics if _is_size(axis.dim, named)]
        for walk in (walk for walks in self.choices for walk in walks):
            walk.forget_others(named)

    def array(self, shape: Any, value: Any, path: str, terms: _Terms) -> None:
        """Look at an array: its dtype, its rank, and the declared dimension of each axis."""
        declared = shape.dtype, shape.dims
        sizes = getattr(value, "shape", None)
        if not isinstance(sizes, tuple) or not hasattr(value, "dtype"):
            _refuse(path, shown_array(*declared), value)
        if not has_dtype(value.dtype, shape.dtype):
            _refuse_array(path, declared, value, _advice(value, shape.dtype))
        many = [i for i, d in enumerate(shape.dims) if str(d)[0] in "*."]
        extra = len(sizes) - len(shape.dims)
        if extra < -1 if many else extra:
            _refuse_array(path, declared, value, "another number of axes")
        dims = list(shape.dims)
        if many:
            first, last = many[0], many[0] + extra + 1
            if shape.dims[first] != "...":
                where = shown_axes(first, last, path)
                self.axes.append(Axis(dims[first], sizes[first:last], where))
            dims[first : first + 1] = ["_"] * (extra + 1)
        for i, (written, size) in enumerate(zip(dims, sizes, strict=True)):
            dim = in_terms(written, terms.dims)
            if dim != "_":
                self.axes.append(Axis(dim, size, f"axis {i} of `{path}`"))

    def any_of(self, shape: Any, value: Any, path: str, terms: _Terms) -> None:
        """Look at a value of one of several types."""
        options = [option for option in shape.options if option is not None]
        if value is None and len(options) < len(shape.options):
            return
        if len(options) == 1:
            self.value(options[0], value, path, terms)
            return
        fitting: list[_Walk] = []
        errors: list[ValueError] = []
        for option in options:
            walk = _Walk()
            try:
                _require_class(option, value, path)
                walk.value(option, value, path, terms)
                fitting.append(walk)
            except ValueError as error:
                errors.append(error)
        if not fitting:
            raise errors[0] if errors else ValueError(f"`{path}` is declared as None")
        self.choices.append(fitting)


def _look_weak(walk: _Walk, shape: Any, value: Any, path: str, terms: _Terms) -> None:
    kind, parent = _WEAK[shape.kind]
    if type(value) is kind:
        return
    if getattr(value, "shape", None) != () or not is_kind(value.dtype, parent):
        _refuse(path, f"{a_or_an(shape.kind, '')} or a 0-d array of it", value)


def _given(part: Any, terms: _Terms) -> tuple[str | None, _Terms]:
    """Return the class that a holder speaks of, and what it says of its parameters."""
    if part is None:
        return None, Terms({}, {})
    dims = {name: in_terms(dim, terms.dims) for name, dim in part.dims.items()}
    return part.of, Terms(dims, {name: (s, terms) for name, s in part.types.items()})


@dataclasses.dataclass(slots=True)
class _Placing:
    """Dimensions by the outermost class's names, and types with what they are written in."""

    walk: _Walk
    path: str
    given: Any

    def free(self, name: str) -> Dim:
        return name if self.given is None else f"{name}@{self.path}"

    def dim(self, dim: Dim, terms: _Terms) -> Dim:
        return in_terms(dim, terms.dims)

    def type(self, shape: Any, terms: _Terms) -> tuple[Any, _Terms]:
        return shape, terms

    def same_dim(self, given: Dim, said: Dim) -> Dim:
        if given == "_" or said == "_":
            return said if given == "_" else given
        if given != said:
            self.walk.equal.append((said, given, f"`{self.path}`"))
        return given

    def same_type(
        self, given: tuple[Any, _Terms], said: tuple[Any, _Terms]
    ) -> tuple[Any, _Terms]:
        # The class of the object says it more exactly.
        for one, other in _same_dims(*given, *said):
            self.same_dim(one, other)
        return said


def _same_dims(
    given: Any, terms: _Terms, said: Any, own: _Terms
) -> Iterator[tuple[Dim, Dim]]:
    """Pair the dimensions of two shapes that one value has."""
    kinds = type(given).__name__, type(said).__name__
    pairs: Iterable[tuple[Dim, Dim]] = ()
    if kinds == ("Shaped", "Shaped") and len(given.dims) == len(said.dims):
        if not any(str(dim)[0] in "*." for dim in (*given.dims, *said.dims)):
            pairs = zip(given.dims, said.dims, strict=True)
    elif kinds == ("Part", "Part") and given.of == said.of:
        common = given.dims.keys() & said.dims.keys()
        pairs = [(given.dims[name], said.dims[name]) for name in sorted(common)]
    elif kinds == ("Each", "Each"):
        yield from _same_dims(given.item, terms, said.item, own)
    for one, other in pairs:
        yield in_terms(one, terms.dims), in_terms(other, own.dims)


def _require_class(option: Any, value: Any, path: str) -> None:
    if type(option).__name__ == "Part" and not is_of(value, option.of):
        _refuse(path, f"a `{option.of}`", value)


def _look_part(walk: _Walk, shape: Any, value: Any, path: str, terms: _Terms) -> None:
    walk.part(value, path, shape, terms)


def _look_given(walk: _Walk, shape: Any, value: Any, path: str, terms: _Terms) -> None:
    if shape.parameter in terms.types:
        meant, written_in = terms.types[shape.parameter]
        if type(meant).__name__ == "Shaped" and isinstance(value, _NUMBERS):
            # The constructor of a generic class does not know what to make of it.
            _refuse(path, shown_array(meant.dtype, meant.dims), value, _TO_ARRAY)
        walk.value(meant, value, path, written_in)


def _look_each(walk: _Walk, shape: Any, value: Any, path: str, terms: _Terms) -> None:
    if isinstance(value, Mapping):
        items: Iterator[tuple[Any, Any]] = iter(value.items())
    elif isinstance(value, tuple | list):
        items = enumerate(value)
    else:
        _refuse(path, "a container of what is declared", value)
    for key, item in items:
        walk.value(shape.item, item, f"{path}[{key!r}]", terms)


def _look_items(walk: _Walk, shape: Any, value: Any, path: str, terms: _Terms) -> None:
    if not isinstance(value, tuple) or len(value) != len(shape.items):
        _refuse(path, f"a tuple of {len(shape.items)}", value)
    for i, (item, part) in enumerate(zip(shape.items, value, strict=True)):
        walk.value(item, part, f"{path}[{i}]", terms)


_LOOK: Final[dict[str, Callable[..., None]]] = {
    "Shaped": _Walk.array,
    "Weak": _look_weak,
    "Part": _look_part,
    "Given": _look_given,
    "Each": _look_each,
    "Items": _look_items,
    "AnyOf": _Walk.any_of,
}


def _settle(walk: _Walk, sizes: Sizes) -> None:
    """Bring everything together, what is certain first."""
    waiting = [a for a in by_kind(walk.statics) if not sizes.settle(a)]
    waiting += [a for a in by_kind(walk.axes) if not sizes.settle(a)]
    equal = walk.equal
    learning = True
    while learning and (waiting or equal):
        left = [axis for axis in waiting if not sizes.settle(axis)]
        open_ = [pair for pair in equal if not _are_equal(sizes, *pair)]
        learning = len(left) < len(waiting) or len(open_) < len(equal)
        waiting, equal = left, open_
    _choose(walk.choices, sizes)
    for axis in waiting:
        if not sizes.settle(axis):
            name = shown_dim(sizes.unknown(axis.dim))
            raise Contradiction(
                f"{axis.where} is declared as `{shown_dim(axis.dim)}`, but "
                f"{_NOTHING_BINDS.format(name=name)}"
            )


def _are_equal(sizes: Sizes, one: Dim, other: Dim, where: str) -> bool:
    for dim, same in ((one, other), (other, one)):
        size = sizes.value(same)
        if size is not None and sizes.settle(Axis(dim, size, where)):
            return True
    return False


def _choose(choices: list[list[_Walk]], sizes: Sizes) -> None:
    """Take for each value the first type whose sizes agree with all others.

    Where none agrees, the choice before is made otherwise.
    """
    known = [sizes.copy()]
    taken: list[int] = []
    errors: list[Contradiction] = []
    start = 0
    while len(taken) < len(choices):
        found = _first_that_fits(choices[len(taken)], start, known[-1], errors)
        if found is not None:
            taken.append(found[0])
            known.append(found[1])
            start = 0
        elif taken and len(errors) < _CHOICES:
            start = taken.pop() + 1
            known.pop()
        else:
            raise errors[0]
    sizes.known = known[-1].known


def _first_that_fits(
    options: list[_Walk], start: int, sizes: Sizes, errors: list[Contradiction]
) -> tuple[int, Sizes] | None:
    for i in range(start, len(options)):
        trial = sizes.copy()
        try:
            _settle(options[i], trial)
        except Contradiction as error:
            errors.append(error)
        else:
            return i, trial
    return None


def _is_size(dim: Dim, named: set[str]) -> bool:
    names = names_of(dim)
    # What a class calls its own parameter carries its path.
    return "_" not in names and all(name in named or "@" in name for name in names)


def _advice(value: Any, declared: str) -> str:
    if declared == "key":
        return "make one by `jax.random.key`, or `jax.random.wrap_key_data(...)` of it"
    if declared in KINDS or not hasattr(value, "astype"):
        return "another dtype"
    return f"give `.astype({declared!r})` of it"


def _refuse_array(
    path: str, declared: tuple[str, tuple[Dim, ...]], value: Any, advice: str
) -> NoReturn:
    raise ValueError(
        f"`{path}` is declared as {shown_array(*declared)}, but is {shown_shape(value)}: "
        f"{advice}"
    )


def _refuse(
    path: str, expected: str, value: Any, of_number: str = _TO_CONSTRUCTOR
) -> NoReturn:
    text = f"`{path}` is declared as {expected}, but is {shown(value)}"
    if isinstance(value, _NUMBERS):
        text += f": {of_number}"
    raise ValueError(text)
