"""Dimensions, and the declared shapes of the fields of an object.

Within an object one name is one size, including nested objects. The names of a class's
parameters are local to it, and its holder defines them:

    class Linear(dims=(n_in, n_out)): w: dynamic[f32[n_in, n_out]]
    class Mlp: first: dynamic[Linear[pixels, hidden]]

    part = Part(Linear, {"n_in": "pixels", "n_out": "hidden"}, of="mlp.Linear")
    object_shapes(Linear.__codegen_record__, part, "Mlp.first").fields["w"]
    # Shaped("float32", "pixels", "hidden")

    sizes = Sizes()
    sizes.learn(MeasuredAxis("nx", 64, "`Plate.grid.nx`"))      # True
    sizes.value(("nx", "+", 1))                                 # 65

A name that is local to a class is followed by `@` and its path, since an object may
have several parts of the class.
"""

import dataclasses
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from ..classes.registration import Record
from ..declared import (
    AnyOf,
    Declared,
    Dim,
    Each,
    Given,
    Items,
    Opaque,
    Part,
    Shape,
    Shaped,
    Weak,
    described,
    resolved,
)
from ..keys.names import Generated

# --- dimensions


def is_variadic(dim: Dim) -> bool:
    """Return whether a dimension means any number of axes: `*batch` and `...`."""
    return isinstance(dim, str) and dim.startswith(("*", "..."))


def fits_rank(dims: Sequence[Dim], ndim: int) -> bool:
    """Return whether an array with these declared dimensions may have that many axes."""
    many = sum(map(is_variadic, dims))
    return ndim == len(dims) or (many > 0 and ndim >= len(dims) - many)


def names_in_dim(dim: Dim) -> list[str]:
    """Return the names in a dimension, each once."""
    if isinstance(dim, str):
        return [dim]
    if isinstance(dim, int):
        return []
    return list(dict.fromkeys([*names_in_dim(dim[0]), *names_in_dim(dim[2])]))


def names_in_shape(shape: Shape | None) -> set[str]:
    """Return the names of the dimensions in a shape."""
    match shape:
        case Shaped():
            return {name for dim in shape.dims for name in names_in_dim(dim)}
        case Part():
            names = set[str]().union(
                *map(names_in_dim, (*shape.dims.values(), *shape.stacked))
            )
            return names.union(*map(names_in_shape, shape.types.values()))
        case Each():
            return names_in_shape(shape.item)
        case Items(items=several) | AnyOf(options=several):
            return set[str]().union(*map(names_in_shape, several))
        case Opaque():
            return set[str]().union(*map(names_in_dim, shape.stacked))
        case _:
            return set()


def substitute_dim(dim: Dim, values: Mapping[str, Dim]) -> Dim:
    """Substitute the parameters of a class in a dimension."""
    if isinstance(dim, str):
        return values.get(dim, dim)
    if isinstance(dim, int):
        return dim
    left, right = substitute_dim(dim[0], values), substitute_dim(dim[2], values)
    # An arbitrary size stays unknown in arithmetic.
    return "_" if "_" in (left, right) else (left, dim[1], right)


def format_dim(dim: Dim) -> str:
    """Format a dimension as in the schema."""
    if not isinstance(dim, tuple):
        return re.sub("@.*", "", str(dim))
    texts = (f"({format_dim(one)})" if isinstance(one, tuple) else one for one in dim)
    return " ".join(map(format_dim, texts))


class Substitution(NamedTuple):
    """The values of the parameters of a class."""

    dims: Mapping[str, Dim] = {}
    types: Mapping[str, Shape] = {}


# Within the class itself, parameters keep their names.
_OWN: Final = Substitution()
_NUMBERS: Final = (int, float, bool, complex)


def class_shapes(record: Record) -> dict[str, Shape]:
    """Return the shapes of the fields of a class, in its own parameters."""
    fields: dict[str, Shape] = {}
    for name in (field.name for field in dataclasses.fields(record.cls)):
        if name in record.data_fields:
            fields[name] = substitute(record.data_fields[name], _OWN)
        elif described(record.meta_fields[name]).has_shapes():
            fields[name] = substitute(record.meta_fields[name], _OWN, is_static=True)
    return fields


def describe_dimensions(record: Record) -> str:
    """Return all facts about the dimensions of a class as a text, for fingerprints.

    Fingerprints of earlier versions contain the same text.
    """
    bases = dict(record.bases)
    for name, base in bases.items() if record.shapes else ():
        types = {n: substitute(one, _OWN) for n, one in base.types.items()}
        bases[name] = base._replace(types=types)
    facts = {
        "fields": record.shapes,
        "parameters": record.parameters,
        "bases": bases,
        "sizes": record.sizes,
        "mesh": record.mesh,
        "known": record.known,
        "empty": record.empty,
    }
    return f"Shapes({', '.join(f'{name}={fact!r}' for name, fact in facts.items())})"


class ObjectShapes(NamedTuple):
    """The declared shapes of an object."""

    fields: dict[str, Shape]
    # The parameters of its class; and, for inherited fields, those of the base.
    own: Substitution
    inherited: dict[str, Substitution]
    # Pairs of dimensions that two classes use for one size.
    equal: list[tuple[Dim, Dim]]


def object_shapes(record: Record, part: Part | None, path: str) -> ObjectShapes:
    """Return the declared shapes of an object at a path, by its class's record.

    `part` is its holder's description, None for the outermost object.
    """
    held, of = Substitution(), record.schema
    own = {name: name for name in record.parameters}
    if part is not None:
        held, of = Substitution(part.dims, part.types), part.of
        # Names that the holder does not know get the path, since it may have several
        # such objects.
        own = {name: f"{name}@{path}" for name in own}
    known = {record.schema: Substitution(own)}
    equal: list[tuple[Dim, Dim]] = []
    if record.bases:
        from ..generics import substitutions_of

        known, equal = substitutions_of(record, of, held, own)
    elif of == record.schema:
        known = {of: Substitution({**own, **held.dims}, held.types)}
    inherited = {f: known[n] for n, base in record.bases.items() for f in base.fields}
    stacked = part.stacked if part is not None else ()
    fields: dict[str, Shape] = {}
    for name, shape in record.shapes.items():
        axes = stacked if name in record.data_fields else ()
        fields[name] = substitute(
            shape, inherited.get(name, known[record.schema]), axes
        )
    return ObjectShapes(fields, known[record.schema], inherited, equal)


def substitute(
    declared: Declared,
    values: Substitution,
    axes: tuple[Dim, ...] = (),
    *,
    is_static: bool = False,
    is_one_of: bool = False,
) -> Shape:
    """Return the shape of a declared type, in the parameters of the object's holder.

    Args:
        declared: the type
        values: the values of the parameters of the class
        axes: the leading axes of its arrays
        is_static: whether the type is that of a static field
        is_one_of: whether the type is one of several classes
    """

    def inner(one: object) -> Shape:
        return substitute(one, values, axes, is_static=is_static, is_one_of=is_one_of)

    match declared:
        case Shaped(dtype=dtype, spec=spec, init=init):
            dims = (*axes, *(substitute_dim(dim, values.dims) for dim in declared.dims))
            count = len(axes) + declared.stacked
            return type(declared)(dtype, *dims, spec=spec, init=init, stacked=count)
        case Weak() if axes:
            return Shaped(declared.kind.capitalize(), *axes, stacked=len(axes))
        case Weak():
            return Weak(declared.kind)
        case Part():
            own = (substitute_dim(dim, values.dims) for dim in declared.stacked)
            return _part_shape(declared, values, (*axes, *own), is_static, is_one_of)
        case Each():
            return _each_shape(declared, inner(declared.item), values, is_static)
        case Items():
            return Items(*map(inner, declared.items))
        case AnyOf(options=options):
            is_one_of = sum(_class_of(one) is not None for one in options) > 1
            return AnyOf(*(None if one is None else inner(one) for one in options))
        case None:
            return AnyOf(None)
        case Given() if declared.parameter in values.types:
            return substitute(values.types[declared.parameter], Substitution(), axes)
        case Given() if values is _OWN:
            return Given(declared.parameter)
        case Opaque():
            return Opaque((*axes, *declared.stacked))
        case _:
            pass
    if cls := _class_of(declared):
        of = cls.__codegen_record__.schema if is_one_of else None
        return Part(cls, of=of, given={}, stacked=axes)
    if declared in _NUMBERS and not is_static:
        return inner(Weak(declared.__name__))
    return Opaque(axes)


def _class_of(declared: Declared) -> Any:
    """Return the generated class of a value; None for all other types."""
    cls = resolved(declared.cls if isinstance(declared, Part) else declared)
    return cls if isinstance(cls, type) and issubclass(cls, Generated) else None


def _part_shape(
    part: Part,
    values: Substitution,
    axes: tuple[Dim, ...],
    is_static: bool,
    is_one_of: bool,
) -> Part:
    dims = {name: substitute_dim(dim, values.dims) for name, dim in part.dims.items()}
    types = {name: substitute(one, values) for name, one in part.types.items()}
    cls, of = resolved(part.cls), part.of
    if of is ...:
        # `abstract` of the holder creates the object, or its class has parameters.
        is_made = part.given is not None or not (is_static or part.stacked)
        is_named = is_one_of or dims or types or is_made
        of = cls.__codegen_record__.schema if is_named else None
    return Part(cls, dims, types=types, of=of, given=part.given or {}, stacked=axes)


def _each_shape(
    each: Each, item: Shape, values: Substitution, is_static: bool
) -> Shape:
    size = None if each.size is None else substitute_dim(each.size, values.dims)
    if each.kind is frozenset:
        return Opaque()
    kind = tuple if is_static else each.kind
    return Each(item, each.count, kind, size, each.key, each.is_any)


def alternatives(shape: AnyOf) -> list[Shape]:
    """Return the alternatives of a value other than None."""
    return [option for option in shape.options if option is not None]


# --- sizes

Size: TypeAlias = int | tuple[int, ...]

_OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
}
_IMPOSSIBLE: Final = ", which has no solution"


class Contradiction(ValueError):
    """Two places have different sizes, or no size is possible."""


class MeasuredAxis(NamedTuple):
    """One axis of an array, or a static value, with its declared dimension."""

    dim: Dim
    size: Size
    where: str  # Example: "axis 0 of `Plate.u`"


class EqualDims(NamedTuple):
    """Two dimensions that two classes use for one size."""

    one: Dim
    other: Dim
    where: str


class Sizes(dict[str, tuple[Size, str]]):
    """The known sizes, each with the place where it was found."""

    def value(self, dim: Dim) -> Size | None:
        """Evaluate a dimension; None if a name in it is unknown."""
        if isinstance(dim, int):
            return dim
        if isinstance(dim, str):
            return self[dim][0] if dim in self else None
        left, right = self.value(dim[0]), self.value(dim[2])
        if not isinstance(left, int) or not isinstance(right, int):
            return None
        if dim[1] == "//" and not right:
            raise Contradiction(f"`{format_dim(dim)}` divides by zero")
        return _OPERATIONS[dim[1]](left, right)

    def learn(self, fact: MeasuredAxis | EqualDims) -> bool:
        """Compare a fact with the known sizes, or learn from it; False if it is too
        early.
        """
        if isinstance(fact, EqualDims):
            for dim, same in ((fact.one, fact.other), (fact.other, fact.one)):
                size = self.value(same)
                if size is not None and self.learn(MeasuredAxis(dim, size, fact.where)):
                    return True
            return False
        expected = self.value(fact.dim)
        if expected is None:
            solved = self._solve(fact)
            if solved is None:
                return False
            name, size = solved
            self[name] = (size, fact.where)
        elif expected != fact.size:
            raise self._clash_error(fact, expected)
        return True

    def _solve(self, axis: MeasuredAxis) -> tuple[str, Size] | None:
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
                raise _contradiction(axis, _IMPOSSIBLE)
            dim = dim[2] if is_left else dim[0]
        if isinstance(size, int) and size < 0:
            raise _contradiction(axis, _IMPOSSIBLE)
        return dim, size

    def _clash_error(self, axis: MeasuredAxis, expected: Size) -> Contradiction:
        reasons = " and ".join(
            f"`{format_dim(name)}` is {self[name][0]} according to {self[name][1]}"
            for name in names_in_dim(axis.dim)
        )
        since = "but" if isinstance(axis.dim, str) else f"which is {expected}, since"
        return _contradiction(axis, f", {since} {reasons}" if reasons else "")

    def refuse_unknown(self, axis: MeasuredAxis) -> NoReturn:
        """Refuse an axis with a name whose size is not determined anywhere."""
        names = [format_dim(n) for n in names_in_dim(axis.dim) if n not in self]
        raise Contradiction(
            f"{axis.where} is declared as `{format_dim(axis.dim)}`, but the size of "
            f"`{names[0]}` is unknown: add a field `{names[0]}: static[int]` to its "
            f"class, or an array that has `{names[0]}` itself as an axis"
        )


def _contradiction(axis: MeasuredAxis, why: str) -> Contradiction:
    dim = format_dim(axis.dim)
    has = f"{axis.where} has the size {axis.size} and is declared as `{dim}`"
    return Contradiction(f"{has}{why}")
