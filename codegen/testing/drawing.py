"""Draw the recipe of a value of any declared type, from the records of generated classes.

    value(scope, array("float32", "nx", "ny"))  # of a NumPy array
    generated(scope, Plate)                     # of an object, made by its constructor

One dimension has one size within an object and all objects in it. The sizes are drawn first.
"""

from __future__ import annotations

import enum
import importlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import reject, strategies
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy

from codegen.runtime.shapes.dimensions import names_in_dim, substitute_dim
from codegen.testing import leaves
from codegen.testing.declared import (
    ENDLESS,
    concrete,
    depth,
    dimensions,
    fields_of,
    record_of,
    resolve_later,
    run_time,
    size_of,
)
from codegen.testing.recipes import Leaf, Node, Recipe, build, iter_leaves, share

_DEPTH_MAX: Final = 3  # of objects in objects; containers below are empty
_ATTEMPTS: Final = 8  # to create an object that its constructor accepts
# Errors of reading foreign annotations, or of calling the described object.
_UNRESOLVED: Final = (AttributeError, LookupError, NameError, TypeError, ValueError)
_SPARE: Final = 3  # how much larger than a size the parameters may be that determine it


class Rejected(Exception):
    """No object has the drawn sizes, or a constructor refuses the drawn values."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is known where a value is drawn."""

    draw: DrawFn
    # The sizes of the dimensions in the whole object, and of the parameters of its class.
    sizes: Mapping[str, Any]
    own: Mapping[str, Any] = field(default_factory=dict[str, Any])
    # The values of type parameters, each with the scope of the class that defines it.
    types: Mapping[str, tuple[Any, Scope]] = field(default_factory=dict[str, Any])
    depth: int = 0
    is_static: bool = False  # it is part of the trace key

    def leaf(
        self, strategy: SearchStrategy[Any], near: Callable[[Any], Sequence[Any]] = lambda _: ()
    ) -> Leaf:
        """Draw a value; a static one may be changed in a neighbour, to a near one or any other."""
        value = self.draw(strategy)
        close = near(value) if self.is_static else ()
        others = strategies.sampled_from(close) | strategy if close else strategy
        return Leaf(value, others if self.is_static else None)

    @property
    def is_deep(self) -> bool:
        """Whether containers and unions must come to an end."""
        return self.depth > _DEPTH_MAX

    def integer(self, lowest: int, highest: int) -> int:
        """Draw a number on which later draws depend."""
        return self.draw(strategies.sampled_from(range(lowest, highest + 1)))

    def size(self, dim: Any) -> Any:
        """Return the size of a dimension, which a subclass may not have.

        Raises:
            Rejected: it is negative
        """
        if dim == "_":
            return self.integer(1, 3)
        if dim == "...":
            return some_sizes(self.draw)
        size = size_of(dim, {**self.sizes, **self.own})
        if isinstance(size, int) and size < 0:
            raise Rejected
        return size

    def shape(self, dims: Sequence[Any]) -> tuple[int, ...]:
        """Return the shape of an array."""
        sizes = [self.size(dim) for dim in dims]
        return tuple(n for size in sizes for n in (size if isinstance(size, tuple) else [size]))

    def inside(self, dims: Mapping[str, Any], types: Mapping[str, Any]) -> Scope:
        """Return the scope of a class whose parameters have these values."""
        own = {name: self.size(dim) for name, dim in dims.items()}
        return replace(self, own=own, types={name: (one, self) for name, one in types.items()})


def some_sizes(draw: DrawFn) -> tuple[int, ...]:
    """Draw the sizes of any number of dimensions."""
    return tuple(draw(strategies.lists(strategies.sampled_from((1, 2, 3)), max_size=2)))


@strategies.composite
def recipes(draw: DrawFn, types: Sequence[Any], make: Callable[[Scope], Recipe]) -> Recipe:
    """Draw the recipe of a value, from the sizes of the dimensions in its types."""
    names, sizes = dimensions(*types)
    one_size = strategies.sampled_from(sizes)
    for _ in range(_ATTEMPTS):
        known = {n: some_sizes(draw) if n.startswith("*") else draw(one_size) for n in names}
        try:
            return make(Scope(draw, known))
        except Rejected:
            continue
    return reject()


@strategies.composite
def built(draw: DrawFn, source: SearchStrategy[Recipe]) -> Any:
    """Draw a value."""
    return build(draw(source))


@strategies.composite
def copies(draw: DrawFn, source: SearchStrategy[Recipe]) -> tuple[Any, Any]:
    """Draw two equal values that have no part in common."""
    recipe = draw(source)
    return build(recipe), build(recipe)


@strategies.composite
def neighbours(draw: DrawFn, source: SearchStrategy[Recipe]) -> tuple[Any, Any]:
    """Draw two values that mostly differ in one static value."""
    recipe = draw(source)
    free = [one for one in dict.fromkeys(iter_leaves(recipe)) if one.others is not None]
    changed = draw(strategies.sampled_from([*free, None]))
    if changed is None:  # Sometimes they differ in everything.
        return build(recipe), build(draw(source))
    assert changed.others is not None
    try:
        return build(recipe), build(recipe, {changed: draw(changed.others)})
    except ValueError:  # The constructor refuses the other value.
        reject()


# --- values


def value(scope: Scope, declared: Any) -> Recipe:
    """Draw a value of a declared type, in the scope of the class that declares it."""
    match type(declared).__name__:
        case "Shaped":
            return _array(scope, declared)
        case "ShapedRef":
            return Node(lambda parts: jax.new_ref(parts[0]), {0: _array(scope, declared)})
        case "Part":
            return _part(scope, declared)
        case "Each":
            return _each(scope, declared)
        case "Items":
            return Node(_tuple, {i: value(scope, one) for i, one in enumerate(declared.items)})
        case "AnyOf":
            return value(scope, _option(scope, declared.options))
        case "Given" if declared.parameter in scope.types:
            meant, holder = scope.types[declared.parameter]
            return value(replace(holder, depth=scope.depth, is_static=scope.is_static), meant)
        case "Given":
            return _anything(scope)
        case "Literal":
            return scope.leaf(strategies.sampled_from(declared.values))
        case "Foreign":
            return _foreign(scope, declared.kind)
        case "Word":
            return scope.leaf(leaves.WORDS[declared.name])
        case _:
            return _plain(scope, resolve_later(declared))


def _plain(scope: Scope, declared: Any) -> Recipe:
    """Draw a value of a type that describes itself."""
    if declared is None or declared is type(None):
        return Leaf(None)
    if declared in leaves.STATIC:
        of_type = (leaves.STATIC if scope.is_static else leaves.DYNAMIC)[declared]
        return scope.leaf(of_type, leaves.NEAR.get(declared, lambda _: ()))
    if record_of(declared) is not None:
        return generated(scope, declared)
    if isinstance(declared, type) and issubclass(declared, enum.Enum):
        return scope.leaf(strategies.sampled_from([*declared]))
    return _anything(scope) if declared is Any else _foreign(scope, declared)


def _array(scope: Scope, declared: Any) -> Leaf:
    """Draw an array of a dtype, or of any dtype of a kind: one of NumPy, or keys of JAX."""
    sizes = scope.shape(declared.dims)
    if declared.dtype == "key":
        key = jax.random.key(scope.integer(0, 3))
        return Leaf(jax.random.split(key, sizes) if sizes else key)
    names = leaves.KINDS.get(declared.dtype, (declared.dtype,))
    dtype = jnp.dtype(scope.draw(strategies.sampled_from(names)))
    return scope.leaf(leaves.arrays(dtype, sizes))


def _anything(scope: Scope) -> Recipe:
    """Draw a value that may be a key; in a traced place, a tree of arrays."""
    if scope.is_static:
        return scope.leaf(leaves.ANY_KEY, leaves.equal_in_python)
    one, other = (scope.leaf(leaves.arrays(jnp.dtype("float32"), ())) for _ in range(2))
    several = Node(lambda parts: [*parts.values()], {0: other})
    trees: list[Recipe] = [
        one,
        Leaf(None),
        Node(_tuple, {0: one, 1: several}),
        Node(dict, {"b": one, "a": other}),
    ]
    return trees[scope.integer(0, 3)]


def _foreign(scope: Scope, kind: Any) -> Recipe:
    """Draw a value of a foreign Python type: by its registered strategy, or as Hypothesis does.

    Raises:
        NotDrawable: neither is possible
    """
    try:
        strategy = leaves.foreign(kind, is_static=scope.is_static)
        return _anything(scope) if strategy is None else scope.leaf(strategy)
    except (InvalidArgument, *_UNRESOLVED) as error:
        name = f"{kind.__module__}.{kind.__qualname__}"
        raise leaves.NotDrawable(
            f"Hypothesis cannot draw a `{name}`: call `codegen.testing.register("
            f"{kind.__qualname__}, strategy)` before `properties`"
        ) from error


def _option(scope: Scope, options: tuple[Any, ...]) -> Any:
    """Draw one of the members of a union; at a great depth the simplest one."""
    # A type parameter may be any type, so a plain value is simpler.
    depths = [depth(one) + (type(one).__name__ == "Given") for one in options]
    simplest = sorted((n, i) for i, n in enumerate(depths) if n != ENDLESS)
    return options[simplest[0 if scope.is_deep else scope.integer(0, len(simplest) - 1)][1]]


def _each(scope: Scope, declared: Any) -> Recipe:
    most = 0 if scope.is_deep else 2 if scope.depth < 2 else 1
    count = scope.integer(0, most) if declared.size is None else scope.size(declared.size)
    if declared.key is ...:
        items = {i: value(scope, declared.item) for i in range(count)}
        return Node(lambda parts: declared.kind(parts.values()), items)
    kind: Any = dict
    if declared.kind is not dict:
        kind = importlib.import_module(type(declared).__module__.rpartition(".")[0]).frozendict
    pairs = [{0: value(scope, declared.key), 1: value(scope, declared.item)} for _ in range(count)]
    nodes: dict[Any, Recipe] = {i: Node(_tuple, pair) for i, pair in enumerate(pairs)}
    return Node(lambda parts: kind(dict(parts.values())), nodes)


def _tuple(parts: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple(parts.values())


def _part(scope: Scope, part: Any) -> Recipe:
    cls = resolve_later(part.cls)
    dims = {name: part.dims.get(name, "_") for name in record_of(cls).parameters}
    one = generated(scope.inside(dims, part.types), cls)
    sizes = scope.shape(part.stacked)
    return Node(lambda parts: _stacked(parts[0], sizes), {0: one}) if part.stacked else one


def _stacked(one: Any, sizes: tuple[int, ...]) -> Any:
    """Give the arrays of an object leading axes."""

    def layers(leaf: Any) -> Any:
        if isinstance(leaf, jax.Ref):
            return jax.new_ref(layers(leaf[...]))
        array = jnp.asarray(leaf)
        several = jnp.broadcast_to(array, (*sizes, *array.shape))
        is_key = jnp.issubdtype(array.dtype, jax.dtypes.prng_key)
        return several if is_key else np.asarray(several)

    return jax.tree_util.tree_map(layers, one)


# --- objects of generated classes


def generated(scope: Scope, cls: Any, fixed: Mapping[str, SearchStrategy[Any]] = {}) -> Recipe:
    """Draw an object of a generated class, or of a concrete subclass of an abstract one.

    Args:
        scope: that of the class
        cls: the class
        fixed: strategies for some of its fields
    """
    if cls in leaves.registered and not fixed:
        return _recipe_of(scope.draw(leaves.registered[cls]))
    if not record_of(cls).abstract:
        return _constructed(scope, record_of(cls), fixed)
    options = sorted(concrete(cls), key=depth)
    first = 0 if scope.is_deep or not options else scope.integer(0, len(options) - 1)
    for option in (*options[first:], *options[:first]):
        inner = _below(scope, cls, option)
        if inner is not None:
            return generated(inner, option, fixed)
    raise Rejected


def _recipe_of(obj: Any) -> Recipe:
    """Return a recipe of an object of a generated class that has been drawn as a whole."""
    record = record_of(type(obj))
    if record is None or record.converted:
        return Leaf(obj)
    fields = {name: _recipe_of(getattr(obj, name)) for name in fields_of(type(obj))}
    return _with_shared(record, fields)


def _with_shared(record: Any, fields: dict[Any, Recipe]) -> Node:
    """Return the recipe of an object, with the owner's part at every path of a row."""
    node = Node(lambda parts: _created(record, parts), fields)
    for owner, *borrowers in record.shares:
        for path in borrowers:
            share(node, owner, path)
    return node


def _created(record: Any, fields: dict[str, Any]) -> Any:
    """Call a constructor. The static values must be those of this object, not of another one."""
    obj = record.create(**fields)
    compare = run_time(record, "classes.values").iter_differences
    for name in record.meta_fields.keys() - record.converted:
        changed = [*compare(getattr(obj, name), fields[name], name, is_static=True)]
        assert not changed, f"the constructor changed {changed}"
    return obj


def _constructed(scope: Scope, record: Any, fixed: Mapping[str, SearchStrategy[Any]]) -> Recipe:
    for _ in range(_ATTEMPTS):
        recipe = _with_shared(record, _fields(scope, record, fixed))
        try:
            build(recipe)
        except ValueError:  # of a mixin's `__check_init__`, or a converter
            continue
        return recipe
    raise Rejected


def _fields(
    scope: Scope, record: Any, fixed: Mapping[str, SearchStrategy[Any]]
) -> dict[Any, Recipe]:
    """Draw the fields of a class, each in the scope of the class that declares it."""
    scopes, holders, known = [scope], dict[str, Scope](), scope
    for base in record.bases.values():
        known = known.inside(base.dims, base.types)
        scopes.append(known)
        holders = dict.fromkeys(base.fields, known) | holders
    fields: dict[Any, Recipe] = {}
    for name, declared in fields_of(record.cls).items():
        is_static = scope.is_static or name in record.meta_fields
        holder = holders.get(name, scope)
        inner = replace(holder, depth=scope.depth + 1, is_static=is_static)
        # An integer with the name of a dimension is its size.
        sizes = [one.own[name] for one in scopes if name in one.own]
        sizes += [scope.sizes[name]] if name in scope.sizes else []
        if name in fixed:
            fields[name] = inner.leaf(fixed[name])
        elif is_static and declared is int and sizes:
            fields[name] = Leaf(sizes[0])
        else:
            fields[name] = value(inner, declared)
    return fields


# --- subclasses of an abstract class


def _below(scope: Scope, cls: Any, option: Any) -> Scope | None:
    """Return the scope of a class below `cls`; None if none of its objects has these sizes.

    Args:
        scope: that of `cls`
        cls: an abstract class
        option: a class below it
    """
    record, types = record_of(option), scope.types
    dims, chain = _base_parameters(record, record_of(cls).schema)
    for terms in reversed(chain):
        given = ((name, one) for name, one in terms.items() if type(one).__name__ == "Given")
        types = {one.parameter: types[name] for name, one in given if name in types}
    wanted = {name: scope.size(name) for name in dims}
    own = {dim: wanted[name] for name, dim in dims.items() if dim in record.parameters}
    terms = [(dim, wanted[name]) for name, dim in dims.items() if dim != "_"]
    names = {name for dim, _ in terms for name in names_in_dim(dim)}
    unknown = [name for name in record.parameters if name in names and name not in own]
    tried = range(1, max(wanted.values(), default=0) + _SPARE)
    found = [
        sizes
        for values in itertools.product(tried, repeat=len(unknown))
        for sizes in [own | dict(zip(unknown, values, strict=True))]
        if all(size_of(dim, {**scope.sizes, **sizes}) == size for dim, size in terms)
    ]
    if not found:
        return None
    sizes = found[scope.integer(0, len(found) - 1)]
    sizes = {name: sizes.get(name) or scope.size("_") for name in record.parameters}
    return replace(scope, own=sizes, types=types if chain else {})


def _base_parameters(record: Any, schema: str) -> tuple[dict[str, Any], list[Any]]:
    """Return the dimensions of a base in the parameters of the class itself, and the types that
    the bases on the way to it get.
    """
    dims: dict[str, Any] = {name: name for name in record.parameters}
    chain: list[Any] = []
    for name, base in record.bases.items():
        dims = {one: substitute_dim(dim, dims) for one, dim in base.dims.items()}
        chain.append(base.types)
        if name == schema:
            return dims, chain
    return {}, []
