# pyright: reportAttributeAccessIssue=false
"""Compare an object with the shapes that its schema declares.

    check_shapes(plate)     # ValueError: axis 1 of `Plate.alpha` has the size 32, ...

A walk through the object checks every array's dtype and rank, and collects the sizes
from its axes and static integers. Then the sizes are compared in this order: static
values, axes with a plain name, and arithmetic. Arithmetic is solved if one name is
left.
"""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

import jax
import numpy as np

from ..declared import (
    AnyOf,
    Dim,
    Each,
    Items,
    Opaque,
    Part,
    Shape,
    Shaped,
    ShapedRef,
    Weak,
)
from ..keys.messages import a_or_an, format_shape, format_value
from ..keys.names import KINDS, has_class_name, has_dtype, is_generated, is_kind, is_ref
from .dimensions import (
    Contradiction,
    EqualDims,
    MeasuredAxis,
    Sizes,
    alternatives,
    fits_rank,
    format_dim,
    is_variadic,
    names_in_dim,
    object_shapes,
)

# Checked combinations of an object's structure and the types of its arrays.
_FOUND: Final[set[Any]] = set()
_FOUND_MAX: Final = 256
_OF_NO_KEY: Final = (AttributeError, TypeError, ValueError)
# The number of combinations of union alternatives that are tried at once.
_WAYS: Final = 64
# The types of a weakly typed scalar: a Python number, or an array of a kind.
SCALARS: Final[dict[str, tuple[type[Any], type[Any]]]] = {
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "float": (float, np.floating),
    "complex": (complex, np.complexfloating),
}


def check_shapes(obj: Any) -> None:
    """Refuse an object whose arrays differ from their declarations.

    Raises:
        ValueError: names the field by its path, with the expected and the actual type
    """
    try:
        leaves, treedef = jax.tree_util.tree_flatten(obj)
        arrays = tuple((leaf.shape, leaf.dtype) for leaf in leaves)
        wide = jax.dtypes.canonicalize_dtype(float)  # depends on 64-bit mode
        # Unlike keys, JAX's treedefs have one hash for all static values.
        # By their types too: a Ref may be declared, and have been replaced by an array.
        kinds = tuple(map(type, leaves))
        alike: Any = obj.__codegen_key__, treedef, kinds, arrays, wide
        if alike in _FOUND:
            return
    except _OF_NO_KEY:
        alike = None  # A leaf is not an array, or a structure has no exact tag.
    facts = SizeFacts()
    facts.part(None, obj, type(obj).__qualname__)
    facts.solve(Sizes())
    if alike is not None:
        if len(_FOUND) >= _FOUND_MAX:
            _FOUND.clear()
        _FOUND.add(alike)


class SizeFacts:
    """Facts about sizes in an object, in the dimensions of the outermost class."""

    # Whether a dimension may have a size that no other place confirms.
    is_open = False
    # The dimensions whose axes the arrays lack, as within `jax.vmap` over them.
    without: Collection[Dim] = ()
    # Whether the arrays are shards of the declared ones, as within `jax.shard_map`.
    is_partial = False

    def __init__(self) -> None:
        self.statics: list[MeasuredAxis] = []
        self.axes: list[MeasuredAxis] = []
        self.equal: list[EqualDims] = []
        # The names of dimensions; integers with other names are not sizes.
        self.names: set[str] = set()
        # For each value of a union, the facts for each alternative that it fits.
        self.choices: list[list[SizeFacts]] = []

    def solve(self, known: Sizes) -> Sizes:
        """Return the sizes that follow from the facts and from the known sizes.

        Raises:
            ValueError: two places have different sizes for one dimension
        """
        try:
            _solve_sizes(self, known, self.names)
        except Contradiction as error:
            raise ValueError(str(error)) from None
        return known

    def value(self, shape: Shape, value: Any, path: str) -> None:
        """Collect the facts of one value."""
        match shape:
            case Shaped():
                self.array(shape, value, path)
            case Part():
                self.part(shape, value, path)
            case AnyOf():
                if value is not None or None not in shape.options:
                    self.union(alternatives(shape), value, path)
            case Weak():
                kind, parent = SCALARS[shape.kind]
                if type(value) is not kind and not (
                    getattr(value, "shape", None) == () and is_kind(value.dtype, parent)
                ):
                    expected = f"{a_or_an(shape.kind, '')} or a 0-d array of it"
                    _refuse(path, expected, value)
            case Each():
                if not isinstance(value, Mapping | tuple | list):
                    _refuse(path, "a container", value)
                if shape.size is not None:
                    self.axis(shape.size, len(value), f"`{path}`")
                keys = value if isinstance(value, Mapping) else range(len(value))
                for key in keys:
                    self.value(shape.item, value[key], f"{path}[{key!r}]")
            case Items():
                if not isinstance(value, tuple) or len(value) != len(shape.items):
                    _refuse(path, f"a tuple of length {len(shape.items)}", value)
                for i, (part, item) in enumerate(zip(shape.items, value, strict=True)):
                    self.value(part, item, f"{path}[{i}]")
            case _:
                # No type is declared here; an object of another package has its own
                # declarations.
                axes = shape.stacked if isinstance(shape, Opaque) else ()
                if is_generated(value):
                    self.part(Part(stacked=axes), value, path)
                elif axes:
                    for place, leaf in jax.tree_util.tree_leaves_with_path(value):
                        where = f"{path}{jax.tree_util.keystr(place)}"
                        self.array(Shaped("Shaped", *axes, "..."), leaf, where)

    def union(self, options: Sequence[Shape], value: object, path: str) -> None:
        """Collect the facts of a value of one of several types."""
        if len(options) == 1:
            self.value(options[0], value, path)
            return
        fitting: list[SizeFacts] = []
        errors: list[ValueError] = []
        for option in options:
            walk = type(self)()
            walk.without, walk.is_partial = self.without, self.is_partial
            try:
                if isinstance(option, Part) and not has_class_name(value, option.of):
                    _refuse(path, f"a `{option.of}`", value)
                walk.value(option, value, path)
            except ValueError as error:
                errors.append(error)
            else:
                fitting.append(walk)
                self.names |= walk.names
        if not options:
            _refuse(path, "None", value)
        if not fitting:
            raise errors[0]
        self.choices.append(fitting)

    def array(self, shape: Shaped, value: Any, path: str) -> None:
        """Check an array's dtype and rank, and collect the size of each declared
        dimension.
        """
        dims = tuple(dim for dim in shape.dims if dim not in self.without)
        sizes = getattr(value, "shape", ())
        is_array = isinstance(sizes, tuple) and hasattr(value, "dtype")
        has_kind = is_array and _accepts_dtype(value.dtype, shape.dtype)
        if isinstance(shape, ShapedRef) != is_ref(value):
            if is_ref(value):
                _refuse(path, "an array", value, "pass its content, `ref[...]`")
            remedy = "construct the object with an array, or pass `jax.new_ref(array)`"
            _refuse(path, "a `jax.Ref`", value, remedy)
        if not has_kind or not fits_rank(dims, len(sizes)):
            declared = f"an array {shape.dtype}[{', '.join(map(format_dim, dims))}]"
            if not is_array:
                _refuse(path, declared, value)
            remedy = "the number of axes differs"
            if not has_kind:
                remedy = dtype_remedy(value, shape.dtype, dims) or "the dtype differs"
            text = f"is declared as {declared}, but is {format_shape(value)}"
            raise ValueError(f"`{path}` {text}: {remedy}")
        first = 0
        for dim in dims:
            many = is_variadic(dim)
            last = first + 1 + (len(sizes) - len(dims) if many else 0)
            size: Any = sizes[first:last] if many else sizes[first]
            self.axis(dim, size, _name_axes(first, last, path))
            first = last

    def axis(self, dim: Dim, size: Any, where: str) -> None:
        """Record the size of an axis, or of a tuple."""
        if dim not in ("_", "...") and not self.is_partial:
            self.axes.append(MeasuredAxis(dim, size, where))
            self.names.update(names_in_dim(dim))

    def part(self, part: Part | None, value: object, path: str) -> None:
        """Collect the facts of an object; `part` is its holder's description, None for
        the outermost.
        """
        record = getattr(type(value), "__codegen_record__", None)
        if record is None:
            _refuse(path, "an object of a generated class", value)
        declared = object_shapes(record, part, path)
        self.equal += [EqualDims(*pair, f"`{path}`") for pair in declared.equal]
        dims = [*part.dims.values()] if part is not None else []
        self.names.update(*map(names_in_dim, itertools.chain(dims, *declared.equal)))
        for name in record.meta_fields:
            for inner, size, where in _integers(name, getattr(value, name), path):
                own = declared.inherited.get(name, declared.own).dims.get(inner, inner)
                self.statics.append(MeasuredAxis(own, size, f"`{where}`"))
        for name, shape in declared.fields.items():
            self.value(shape, getattr(value, name), f"{path}.{name}")


def _integers(name: str, value: Any, path: str) -> Iterator[tuple[str, int, str]]:
    """Yield the integers in a static value, each with its name and path, at any depth.

    They are sizes if a dimension has their name. Containers are skipped, and so are the
    names that a class with parameters gives to its own.
    """
    path = f"{path}.{name}"
    if type(value) is int:
        yield name, value, path
    elif is_generated(value):
        record = value.__codegen_record__
        bases = record.bases.values()
        own = {*record.parameters, *(f for base in bases for f in base.fields)}
        for inner in record.meta_fields:
            if inner not in own:
                yield from _integers(inner, getattr(value, inner), path)


def _solve_sizes(walk: SizeFacts, sizes: Sizes, named: set[str]) -> None:
    """Add the facts of an object to the known sizes, the certain ones first.

    `named` are the names of dimensions in all of the outermost object.
    """
    statics = [axis for axis in walk.statics if _is_size(axis.dim, named)]
    # Plain names come first, since the other axes need their sizes.
    axes = sorted(statics + walk.axes, key=lambda axis: not isinstance(axis.dim, str))
    waiting: list[MeasuredAxis | EqualDims] = [*axes, *walk.equal]
    learning = True
    while learning:
        left = [fact for fact in waiting if not sizes.learn(fact)]
        learning = 0 < len(left) < len(waiting)
        waiting = left
    _choose_types(walk.choices, sizes, named)
    for fact in waiting:
        is_settled = sizes.learn(fact) or walk.is_open
        if not is_settled and isinstance(fact, MeasuredAxis):
            sizes.refuse_unknown(fact)


def _choose_types(
    choices: list[list[SizeFacts]], sizes: Sizes, named: set[str]
) -> None:
    """Choose for each value the first type whose sizes agree with all others."""
    ways = [sizes]
    for options in choices:
        trials: dict[frozenset[Any], Sizes] = {}
        errors: list[Contradiction] = []
        for way, walk in itertools.product(ways, options):
            trial = Sizes(way)
            try:
                _solve_sizes(walk, trial, named)
            except Contradiction as error:
                errors.append(error)
            else:
                same = frozenset((name, size) for name, (size, _) in trial.items())
                trials.setdefault(same, trial)
        if not trials:
            raise errors[0]
        ways = list(trials.values())[:_WAYS]
    sizes.update(ways[0])


def _is_size(dim: Dim, named: set[str]) -> bool:
    names = names_in_dim(dim)
    # A class's own name for a parameter includes its path.
    return "_" not in names and all(name in named or "@" in name for name in names)


def _name_axes(first: int, last: int, path: str) -> str:
    """Name the axes from the first to before the last; for no axes, only the array."""
    if first == last:
        return f"`{path}`"
    axes = f"axis {first}" if last == first + 1 else f"axes {first} to {last - 1}"
    return f"{axes} of `{path}`"


def _accepts_dtype(dtype: object, declared: str) -> bool:
    """Return whether an array of a dtype may replace a declared one.

    `jax.grad(..., allow_int=True)` replaces integers, bools and keys by float0.
    """
    if dtype != jax.dtypes.float0 or declared == "key":
        return dtype == jax.dtypes.float0 or has_dtype(dtype, declared)
    kinds = KINDS.get(declared) or (np.dtype(declared),)
    return not all(is_kind(kind, np.inexact) for kind in kinds)


def dtype_remedy(value: Any, declared: str, dims: Sequence[Dim] = ()) -> str:
    """Advise how to convert an array to the declared dtype, or which type accepts both."""
    if declared == "key":
        return (
            "create a key with `jax.random.key`, or convert it with "
            "`jax.random.wrap_key_data(...)`"
        )
    if declared in KINDS or not hasattr(value, "astype"):
        return ""
    remedy = f"convert it with `.astype({declared!r})`"
    # The kinds of one dtype come first.
    kinds = (kind for kind in KINDS if has_dtype(np.dtype(declared), kind))
    kind = next(kinds, "")
    if kind and has_dtype(value.dtype, kind):
        axes = ", ".join(map(format_dim, dims))
        both = f"{kind}[{axes}]" if axes else kind
        remedy = f"{remedy}, or declare `{both}`, which accepts both"
    return remedy


def _refuse(path: str, expected: str, value: object, remedy: str = "") -> NoReturn:
    """Refuse a value of an entirely different type."""
    if not remedy and isinstance(value, int | float | complex):
        remedy = "convert it with `jnp.asarray`"
    text = f"is declared as {expected}, but is {format_value(value)}"
    raise ValueError(f"`{path}` {text}{remedy and f': {remedy}'}")
