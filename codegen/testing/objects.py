"""Draw a value of any declared type, from the descriptions in the records of classes.

    value(draw, array("float32", "nx", "ny"))     # a NumPy array
    value(draw, Plate)                            # an object, through its constructor

One dimension has one size within an object and all objects in it.
"""

from __future__ import annotations

import enum
import functools
import importlib
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from codegen.testing import leaves
from codegen.testing.content import content, is_key, static_content
from codegen.testing.declared import (
    ENDLESS,
    concrete,
    depth,
    dim_names,
    has_abstract_part,
    record_of,
    resolve_later,
    roles_of,
    substitute_dim,
)
from codegen.testing.drawing import Dim, Draw, DrawnSize, Rejected

_ATTEMPTS: Final = 8  # to create an object that its constructor accepts
_FREE_MAX: Final = 2  # how many sizes are searched for together; others are drawn
_SPARE: Final = 3  # how much larger than the result one of them may be


def value(draw: Draw, declared: Any) -> Any:
    """Draw a value of a declared type, in the scope of the class that declares it."""
    match type(declared).__name__:
        case "Shaped":
            return leaves.array(draw, declared.dtype, declared.dims)
        case "ShapedRef":
            return jax.new_ref(leaves.array(draw, declared.dtype, declared.dims))
        case "Part":
            return _part(draw, declared)
        case "Each":
            return _each(draw, declared)
        case "Items":
            return tuple(value(draw, item) for item in declared.items)
        case "AnyOf":
            return value(draw, _option(draw, declared.options))
        case "Given":
            return draw.types.get(declared.parameter, leaves.anything)(draw)
        case "Literal":
            return leaves.sampled(draw, declared.values)
        case "Foreign":
            return leaves.foreign(draw, declared.kind)
        case "Word":
            return leaves.word(draw, declared.name)
        case "Later":
            return value(draw, resolve_later(declared))
        case _:
            return _plain(draw, declared)


def _plain(draw: Draw, declared: Any) -> Any:
    """Draw a value of a type that describes itself."""
    if declared is None or declared is type(None):
        return None
    if declared in leaves.SCALARS:
        return leaves.SCALARS[declared](draw)
    if record_of(declared) is not None:
        return generated(draw, declared)
    if isinstance(declared, type) and issubclass(declared, enum.Enum):
        return leaves.sampled(draw, list(declared))
    return leaves.anything(draw) if declared is Any else leaves.foreign(draw, declared)


def _option(draw: Draw, options: tuple[Any, ...]) -> Any:
    """Draw one of the members of a union; at a great depth the simplest one."""
    # A type parameter may be any type, so a plain value is simpler.
    depths = [
        (depth(one) + (type(one).__name__ == "Given"), place) for place, one in enumerate(options)
    ]
    simplest = [place for how_deep, place in sorted(depths) if how_deep != ENDLESS]
    chosen = 0 if draw.is_deep else draw.integer(0, len(simplest) - 1)
    return options[simplest[chosen]]


def _each(draw: Draw, declared: Any) -> Any:
    count = draw.count() if declared.size is None else draw.size(declared.size)
    if declared.key is not ...:
        pairs = [(value(draw, declared.key), value(draw, declared.item)) for _ in range(count)]
        return dict(pairs) if declared.kind is dict else _frozendict(declared)(dict(pairs))
    return declared.kind(value(draw, declared.item) for _ in range(count))


def _frozendict(declared: Any) -> Any:
    package = type(declared).__module__.rpartition(".")[0]
    return importlib.import_module(package).frozendict


def _part(draw: Draw, part: Any) -> Any:
    cls = resolve_later(part.cls)
    names = {name: part.dims.get(name, "_") for name in record_of(cls).parameters}
    obj = generated(class_scope(draw, names, part.types), cls)
    return _stacked(obj, draw.shape(part.stacked)) if part.stacked else obj


def _stacked(one: Any, sizes: tuple[int, ...]) -> Any:
    """Give the arrays of an object leading axes; the elements are rotated along these."""

    def layers(leaf: Any) -> Any:
        if isinstance(leaf, jax.Ref):
            return jax.new_ref(layers(leaf[...]))
        if is_key(leaf):
            return jnp.broadcast_to(leaf, (*sizes, *leaf.shape))
        array = np.asarray(leaf)
        # A JAX number.
        array = array.astype(jax.dtypes.canonicalize_dtype(array.dtype))
        rows = [np.roll(array, i) for i in range(math.prod(sizes))]
        return np.asarray(rows, array.dtype).reshape(*sizes, *array.shape)

    return jax.tree_util.tree_map(layers, one)


def class_scope(draw: Draw, dims: Mapping[str, Dim], types: Mapping[str, Any]) -> Draw:
    """Return the scope of a class with these parameters, which are in the dimensions of `draw`."""
    own = {name: draw.named_size(dim) for name, dim in dims.items()}

    def meant(inner: Draw, declared: Any) -> Any:
        # Its sizes, and the parameters in it, belong to the holder of the object.
        return value(replace(inner, sizes=draw.sizes, types=draw.types), declared)

    known = {name: functools.partial(meant, declared=one) for name, one in types.items()}
    return replace(draw, sizes=draw.sizes.in_class(own) if own else draw.sizes, types=known)


# --- objects of generated classes


def generated(draw: Draw, cls: Any) -> Any:
    """Draw an object of a generated class, or of a concrete subclass of an abstract one.

    Args:
        draw: in the scope of the class
        cls: the class
    """
    if cls in leaves.registered:
        return draw.value(leaves.registered[cls])
    if not record_of(cls).abstract:
        return constructed(draw, cls, {})
    options = sorted(concrete(cls), key=depth)
    first = 0 if draw.is_deep or not options else draw.integer(0, len(options) - 1)
    for option in (*options[first:], *options[:first]):
        inner = _below(draw, cls, option)
        if inner is not None:
            return generated(inner, option)
    raise Rejected


def constructed(draw: Draw, cls: Any, fixed: Mapping[str, Any]) -> Any:
    """Draw the fields of a class, and call its constructor.

    Args:
        draw: in the scope of the class
        cls: a class that is not abstract
        fixed: strategies for some of its fields
    """
    record = record_of(cls)
    start, before = len(draw.tape.entries), draw.sizes.known()
    for _ in range(_ATTEMPTS if draw.tape.is_first else 1):
        # Values of a failed attempt are not part of the object.
        del draw.tape.entries[start:]
        draw.sizes.forget(before)
        arguments = _arguments(draw, record, fixed)
        try:
            _share(record.shares, arguments)
            obj = getattr(record, "create", cls)(**arguments)
        except ValueError:  # of a mixin's `__check_init__`, or a converter
            continue
        _compare(obj, arguments)
        return obj
    raise Rejected


def _arguments(draw: Draw, record: Any, fixed: Mapping[str, Any]) -> dict[str, Any]:
    declared = {**record.data_fields, **record.meta_fields}
    scopes = _scopes(draw, record)
    values: dict[str, Any] = {}
    # A subclass of an abstract class determines sizes, so it is drawn first.
    for name in sorted(declared, key=lambda name: not has_abstract_part(declared[name])):
        scope = _scope_of(name, record, scopes)
        is_static = draw.is_static or name in record.meta_fields
        inner = replace(scope, depth=draw.depth + 1, is_static=is_static)
        if name in fixed:
            values[name] = inner.value(fixed[name])
        elif is_static and declared[name] is int:
            values[name] = _integer(name, inner, scopes)
        else:
            values[name] = value(inner, declared[name])
    return values


def _scopes(draw: Draw, record: Any) -> dict[str, Draw]:
    """Return the scopes of a class and of its bases, nearest first, by their names."""
    scopes = {record.schema: draw}
    for schema, base in record.bases.items():
        draw = class_scope(draw, base.dims, base.types)
        scopes[schema] = draw
    return scopes


def _scope_of(name: str, record: Any, scopes: Mapping[str, Draw]) -> Draw:
    for schema, base in record.bases.items():
        if name in base.fields:
            return scopes[schema]
    return scopes[record.schema]


def _integer(name: str, draw: Draw, scopes: Mapping[str, Draw]) -> int:
    """Draw a static integer; if it names a dimension of an array, its size."""
    for scope in scopes.values():
        if name in scope.sizes.own:
            return scope.sizes.get(name, draw)
    bound = draw.sizes.is_bound(name)
    return draw.sizes.get(name, draw) if bound else leaves.integer(draw)


def _compare(obj: Any, arguments: Mapping[str, Any]) -> None:
    """Check that the constructor has kept its arguments."""
    converted = record_of(type(obj)).converted
    for name, role in (roles_of(obj) or {}).items():
        of = static_content if role == "static" else content
        actual, expected = getattr(obj, name), arguments[name]
        if name in converted or of(actual) == of(expected):
            continue
        if role == "static" or not _is_number_of(actual, expected):
            raise AssertionError(f"the constructor changed {name}={expected!r} to {actual!r}")


def _is_number_of(actual: Any, expected: Any) -> bool:
    """Return whether a union of numbers, in a traced place, has converted a number."""
    kind: Any = type(actual)
    numbers = kind in (float, complex) and type(expected) in (int, float)
    return numbers and bool(actual == kind(expected))


# --- shared parts


def _share(shares: Any, arguments: dict[str, Any]) -> None:
    """Put the owner's part at every path of a row."""
    for owner, *borrowers in shares:
        part = _get(arguments, owner)
        # A class on the way to an alias path may share parts of it.
        for path in (*borrowers, owner, *borrowers):
            _put(arguments, shares, path, part)
            part = _get(arguments, path)


def _get(arguments: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    return functools.reduce(getattr, path[1:], arguments[path[0]])


def _put(arguments: dict[str, Any], shares: Any, path: tuple[str, ...], part: Any) -> None:
    """Put a part at a path, and at the paths that share it."""
    waiting = [(tuple(path), part)]
    done: set[tuple[str, ...]] = set()
    while waiting:
        path, part = waiting.pop()
        if path in done:
            continue
        done.add(path)
        name, *rest = path
        arguments[name] = _replace_at(arguments[name], tuple(rest), part)
        for row in shares:
            for one in map(tuple, row):
                if path[: len(one)] == one:
                    waiting += [((*each, *path[len(one) :]), part) for each in row]
                elif one[: len(path)] == path:
                    waiting += [(tuple(each), _get(arguments, one)) for each in row]


def _replace_at(obj: Any, path: tuple[str, ...], part: Any) -> Any:
    if not path:
        return part
    before = {name: getattr(obj, name) for name in roles_of(obj) or ()}
    after = dict(before)
    _put(after, record_of(type(obj)).shares, path, part)
    changed = {name: each for name, each in after.items() if each is not before[name]}
    return obj.replace(**changed) if changed else obj


# --- subclasses of an abstract class


def _below(draw: Draw, cls: Any, option: Any) -> Draw | None:
    """Return the scope of a subclass of `cls`; None if it does not fit the known sizes.

    Args:
        draw: in the scope of `cls`
        cls: an abstract class
        option: a class below it
    """
    record = record_of(option)
    base = record_of(cls).schema
    dims, types = _base_substitution(record, base)
    own: dict[str, DrawnSize] = {}
    others: list[tuple[DrawnSize, Dim]] = []
    for name, term in dims.items():
        size = draw.sizes.find(name)
        if term in record.parameters and term not in own:
            own[term] = size
        elif term != "_":
            others.append((size, term))
    for name in record.parameters:
        own.setdefault(name, DrawnSize())
    known = {
        term.parameter: draw.types[name]
        for name, term in types.items()
        if type(term).__name__ == "Given" and name in draw.types
    }
    # The dimension names of the base class have no meaning in this class.
    outside = draw.sizes.around or draw.sizes if record_of(cls).parameters else draw.sizes
    inner = replace(draw, sizes=outside.in_class(own) if own else outside, types=known)
    before = [size.value for size, _ in others]
    if all(_fits(size, term, inner) for size, term in others):
        return inner
    for (size, _), known_size in zip(others, before, strict=True):
        size.value = known_size
    return None


def _base_substitution(record: Any, schema: str) -> tuple[Mapping[str, Dim], Mapping[str, Any]]:
    """Return the parameters of a base in those of the class itself."""
    dims: dict[str, Dim] = {name: name for name in record.parameters}
    types: Mapping[str, Any] = {}
    for place, (name, base) in enumerate(record.bases.items()):
        dims = {one: substitute_dim(dim, dims) for one, dim in base.dims.items()}
        types = base.types if place == 0 else _parameter_types(base.types, types)
        if name == schema:
            return dims, types
    return {}, {}


def _parameter_types(types: Mapping[str, Any], below: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: below.get(one.parameter) if type(one).__name__ == "Given" else one
        for name, one in types.items()
    }


def _fits(size: DrawnSize, term: Dim, draw: Draw) -> bool:
    """Find sizes with which a term has a known size; return whether there are any."""
    if size.value is None:
        size.value = draw.size(term)
        return True
    names = {name: draw.sizes.find(name) for name in dim_names(term)}
    free = [name for name, each in names.items() if each.value is None]
    for name in free[_FREE_MAX:]:
        draw.sizes.get(name, draw)
    unknown = [names[name] for name in free[:_FREE_MAX]]
    solutions = list(_solutions(unknown, size.value, term, draw))
    if not solutions:
        return False
    _put_sizes(unknown, solutions[draw.integer(0, len(solutions) - 1)])
    return True


def _solutions(
    unknown: list[DrawnSize], size: int, term: Dim, draw: Draw
) -> Iterator[tuple[int, ...]]:
    sizes = range(draw.sizes.least, size + _SPARE + 1)
    for values in itertools.product(sizes, repeat=len(unknown)):
        _put_sizes(unknown, values)
        try:
            is_right = draw.size(term) == size
        except Rejected:
            is_right = False
        if is_right:
            yield values


def _put_sizes(unknown: list[DrawnSize], values: tuple[int, ...]) -> None:
    for one, number in zip(unknown, values, strict=True):
        one.value = number
