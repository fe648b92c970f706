"""Draw values of any declared type, from the records of generated classes.

    value(scope, array("float32", "nx", "ny"))  # a NumPy array
    generated(scope, Plate)                     # an object, made by its constructor

One dimension has one size within an object and all objects in it. It is drawn at its first use.
An equal copy is made by the same constructors, from copies of the same drawn values.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import reject, strategies
from hypothesis.strategies import DrawFn, SearchStrategy

from codegen.runtime.shapes.dimensions import Contradiction, Sizes, names_in_dim
from codegen.testing import leaves
from codegen.testing.declared import class_of, concrete, fields_of, record_of, run_time

_DEEP: Final = 4  # objects in objects; containers are empty there
_DEPTH_MAX: Final = 12
_ATTEMPTS: Final = 8  # to draw a value with possible sizes, which all constructors accept
_SIZES: Final = range(1, 6)  # of the parameters of a class below an abstract one


@dataclass(frozen=True, slots=True)
class Scope:
    """What is known where a value is drawn."""

    draw: Callable[..., Any]
    # The least size of a dimension, and the sizes that are drawn already.
    least: int
    sizes: Sizes = field(default_factory=Sizes)
    # The integers that were drawn before any dimension had their name.
    integers: set[str] = field(default_factory=set[str])
    # The sizes of the parameters of the class, and the values of its type parameters, each with
    # the scope of the class that defines it.
    own: Sizes = field(default_factory=Sizes)
    types: Mapping[str, tuple[Any, Scope]] = field(default_factory=dict[str, Any])
    # The values of some fields, at any depth, by their paths.
    given: Mapping[tuple[str, ...], Make] = field(default_factory=dict[Any, Any])
    depth: int = 0
    is_static: bool = False  # it is part of the trace key

    def leaf(
        self, strategy: SearchStrategy[Any], near: Callable[[Any], Sequence[Any]] = lambda _: ()
    ) -> Any:
        """Draw a value; a static one may be changed in a neighbour, to a near one or any other."""
        return self.draw(strategy, near) if self.is_static else self.draw(strategy)

    def integer(self, lowest: int, highest: int) -> int:
        """Draw a number on which later draws depend."""
        number: int = self.draw(strategies.sampled_from(range(lowest, highest + 1)))
        return number

    def one_of(self, options: Sequence[Any]) -> Any:
        """Choose one of several types; at a great depth the simplest one."""
        options = sorted(options, key=_objects_in)
        return options[0 if self.depth >= _DEEP else self.integer(0, len(options) - 1)]

    def any_size(self, name: Any) -> Any:
        """Draw the size of a dimension; of several axes, their sizes."""
        if str(name).startswith(("*", "...")):
            return tuple(self.integer(1, 3) for _ in range(self.integer(0, 2)))
        return self.integer(self.least, self.least + 2)

    def size(self, dim: Any) -> Any:
        """Return the size of a dimension.

        Raises:
            Contradiction: there is none, or another integer was drawn for it
        """
        if dim in ("_", "..."):
            return self.any_size(dim)
        for name in names_in_dim(dim):
            if name not in self.own and name not in self.sizes:
                if name in self.integers:
                    raise Contradiction
                self.sizes[name] = (self.any_size(name), "")
        size = Sizes({**self.sizes, **self.own}).value(dim)
        if isinstance(size, int) and size < 0:
            raise Contradiction
        return size

    def is_size(self, name: str) -> bool:
        """Return whether an integer is the size of a dimension; if not, none may use it later."""
        if name in self.own or name in self.sizes or self.least > 1:
            return True
        self.integers.add(name)
        return False

    def shape(self, dims: Sequence[Any]) -> tuple[int, ...]:
        """Return the shape of an array."""
        sizes = [self.size(dim) for dim in dims]
        return tuple(n for size in sizes for n in (size if isinstance(size, tuple) else [size]))

    def inside(self, dims: Mapping[str, Any], types: Mapping[str, Any]) -> Scope:
        """Return the scope of a class whose parameters have these values."""
        own = Sizes({name: (self.size(dim), "") for name, dim in dims.items()})
        return replace(self, own=own, types={name: (one, self) for name, one in types.items()})

    def bases(self, record: Any) -> Iterator[tuple[str, Any, Scope]]:
        """Yield the bases of a class, the nearest first, each with its scope."""
        scope = self
        for name, base in record.bases.items():
            scope = scope.inside(base.dims, base.types)
            yield name, base, scope


# --- values that are drawn, copied and changed

Make: TypeAlias = Callable[[Scope], Any]


class _Tape:
    """A value, and the values that were drawn for it."""

    def __init__(self, draw: DrawFn, make: Make) -> None:
        self.draw, self.make = draw, make
        for attempt in range(_ATTEMPTS):
            # The drawn values; for each static one, its strategy and the values near to it.
            self.drawn: list[Any] = []
            self.static: dict[int, tuple[Any, Any]] = {}
            # Larger sizes may be possible.
            self.least = 1 + attempt // 2
            try:
                self.value = make(Scope(self._record, self.least))
            except ValueError:  # of sizes, of a mixin's `__check_init__`, or of a converter
                continue
            return
        reject()

    def _record(self, strategy: SearchStrategy[Any], near: Any = None) -> Any:
        value = self.draw(strategy)
        if near is not None:
            self.static[len(self.drawn)] = strategy, near
        self.drawn.append(value)
        return value

    def copy(self, changes: Mapping[int, Any]) -> Any:
        """Return an equal value that has no common part, except for some of the drawn values."""
        drawn = (changes.get(i, one) for i, one in enumerate(self.drawn))
        return self.make(Scope(lambda *_: leaves.copied(next(drawn)), self.least))


@strategies.composite
def single(draw: DrawFn, make: Make) -> tuple[Any]:
    """Draw one value."""
    return (_Tape(draw, make).value,)


@strategies.composite
def copies(draw: DrawFn, make: Make) -> tuple[Any, Any]:
    """Draw two equal values that have no part in common."""
    tape = _Tape(draw, make)
    return tape.value, tape.copy({})


@strategies.composite
def neighbours(draw: DrawFn, make: Make) -> tuple[Any, Any]:
    """Draw two values that mostly differ in one static value."""
    tape = _Tape(draw, make)
    changed = draw(strategies.sampled_from([*tape.static, None]))
    if changed is None:  # Sometimes they differ in everything.
        return tape.value, _Tape(draw, make).value
    strategy, near = tape.static[changed]
    close = near(tape.drawn[changed])
    others = strategies.sampled_from(close) | strategy if close else strategy
    try:
        return tape.value, tape.copy({changed: draw(others)})
    except ValueError:  # The constructor refuses the other value.
        return reject()


# --- values


def value(scope: Scope, declared: Any) -> Any:
    """Draw a value of a declared type, in the scope of the class that declares it."""
    match type(declared).__name__:
        case "Shaped":
            return _array(scope, declared)
        case "ShapedRef":
            return jax.new_ref(_array(scope, declared))
        case "Part":
            return _part(scope, declared)
        case "Each":
            return _each(scope, declared)
        case "Items":
            return tuple([value(scope, one) for one in declared.items])
        case "AnyOf":
            return value(scope, scope.one_of(declared.options))
        case "Given" if declared.parameter in scope.types:
            meant, holder = scope.types[declared.parameter]
            return value(replace(holder, depth=scope.depth, is_static=scope.is_static), meant)
        case "Given":
            return _anything(scope)
        case "Literal":
            return scope.leaf(strategies.sampled_from(declared.values))
        case "Word":
            return scope.leaf(leaves.WORDS[declared.name])
        case "Foreign":
            kind = declared.kind
        case _:
            kind = class_of(declared)
    if record_of(kind) is not None:
        return generated(scope, kind)
    strategy = leaves.strategy_of(kind, is_static=scope.is_static)
    if strategy is None:
        return _anything(scope)
    return scope.leaf(strategy, leaves.NEAR.get(kind, lambda _: ()))


def _array(scope: Scope, declared: Any) -> Any:
    """Draw an array of a dtype, or of any dtype of a kind: one of NumPy, or keys of JAX."""
    sizes = scope.shape(declared.dims)
    if declared.dtype == "key":
        key = jax.random.key(scope.integer(0, 3))
        return jax.random.split(key, sizes) if sizes else key
    names = leaves.KINDS.get(declared.dtype, (declared.dtype,))
    return scope.leaf(leaves.arrays(names[scope.integer(0, len(names) - 1)], sizes))


def _anything(scope: Scope) -> Any:
    """Draw a value that may be a key; in a traced place, a tree of arrays."""
    if scope.is_static:
        return scope.leaf(leaves.ANY_KEY, leaves.equal_in_python)
    one, other = (scope.leaf(leaves.arrays("float32", ())) for _ in range(2))
    return [one, None, (one, [other]), {"b": one, "a": other}][scope.integer(0, 3)]


def _each(scope: Scope, declared: Any) -> Any:
    most = 0 if scope.depth >= _DEEP else 2 if scope.depth < 2 else 1
    count = scope.integer(0, most) if declared.size is None else scope.size(declared.size)
    if declared.key is ...:
        return declared.kind([value(scope, declared.item) for _ in range(count)])
    pairs = [(value(scope, declared.key), value(scope, declared.item)) for _ in range(count)]
    return declared.kind(dict(pairs))


def _part(scope: Scope, part: Any) -> Any:
    cls = class_of(part)
    dims = {name: part.dims.get(name, "_") for name in record_of(cls).parameters}
    one = generated(scope.inside(dims, part.types), cls)
    sizes = scope.shape(part.stacked)
    return jax.tree.map(functools.partial(_stacked, sizes), one) if part.stacked else one


def _stacked(sizes: tuple[int, ...], leaf: Any) -> Any:
    """Give an array leading axes."""
    if isinstance(leaf, jax.Ref):
        return jax.new_ref(_stacked(sizes, leaf[...]))
    several = jnp.broadcast_to(leaf, (*sizes, *jnp.shape(leaf)))
    is_key = jnp.issubdtype(several.dtype, jax.dtypes.prng_key)
    return several if is_key else np.asarray(several)


# --- objects of generated classes


def generated(scope: Scope, cls: Any) -> Any:
    """Draw an object of a generated class, or of a concrete subclass of an abstract one.

    Raises:
        NotDrawable: it would contain objects without end
    """
    if cls in leaves.registered and not scope.given:
        return scope.leaf(leaves.registered[cls])
    options = concrete(cls)
    if scope.depth > _DEPTH_MAX or not options:
        raise leaves.not_drawable(cls, "it contains other objects without end")
    record = record_of(cls)
    if record.abstract:
        first = scope.one_of(options)
        scopes = ((one, _below(scope, record, record_of(one))) for one in (first, *options))
        cls, inner = next(((one, inner) for one, inner in scopes if inner), (cls, None))
        if inner is None:
            raise Contradiction
        scope, record = inner, record_of(cls)
    return create(record, _fields(scope, record))


def create(record: Any, fields: dict[str, Any]) -> Any:
    """Call a constructor. The static values must be those of this object, not of another one."""
    obj = record.create(**fields)
    compare = run_time(record, "classes.values").iter_differences
    for name in record.meta_fields.keys() - record.converted:
        changed = [*compare(getattr(obj, name), fields[name], name, is_static=True)]
        assert not changed, f"the constructor changed {changed}"
    return obj


def _objects_in(declared: Any) -> int:
    """Return how many objects a value of a type contains for certain: some, not all."""
    cls = class_of(declared)
    if record_of(cls) is None:
        return 0
    return 1 + sum(record_of(class_of(one)) is not None for one in fields_of(cls).values())


def _fields(scope: Scope, record: Any) -> dict[str, Any]:
    """Draw the fields of a class, each in the scope of the class that declares it."""
    holders, whole = dict[str, Scope](), scope
    for _, base, inner in scope.bases(record):
        whole = replace(whole, own=Sizes({**inner.own, **whole.own}))
        holders = dict.fromkeys(base.fields, inner) | holders
    given, fields = {**scope.given}, dict[str, Any]()
    for owner, *aliases in record.shares:
        given |= dict.fromkeys(aliases, functools.partial(_at, fields, owner))
    # A part that is shared is drawn before its aliases.
    declared = fields_of(record.cls)
    for name in sorted(declared, key=lambda name: name in {alias[0] for alias in given}):
        is_static = scope.is_static or name in record.meta_fields
        inner = replace(
            holders.get(name, scope),
            depth=scope.depth + 1,
            is_static=is_static,
            given={path[1:]: make for path, make in given.items() if path[0] == name},
        )
        if (name,) in given:
            fields[name] = given[name,](inner)
        elif is_static and declared[name] is int and whole.is_size(name):
            fields[name] = whole.size(name)
        else:
            fields[name] = value(inner, declared[name])
    return fields


def _at(fields: dict[str, Any], path: Sequence[str], _: Scope) -> Any:
    """Return the part of an object at a path."""
    return functools.reduce(getattr, path[1:], fields[path[0]])


def _below(scope: Scope, base: Any, record: Any) -> Scope | None:
    """Return the scope of a class below an abstract one; None if no object has these sizes."""
    fitting: list[Sizes] = []
    for values in itertools.product(_SIZES, repeat=len(record.parameters)):
        own = Sizes({name: (n, "") for name, n in zip(record.parameters, values, strict=True)})
        try:
            above = {name: one.own for name, _, one in replace(scope, own=own).bases(record)}
        except Contradiction:
            continue
        wanted = {name: size[0] for name, size in scope.own.items()}
        known = {name: size[0] for name, size in above.get(base.schema, Sizes()).items()}
        if wanted.items() >= known.items() or not wanted:
            fitting.append(own)
    if not fitting:
        return None
    types = scope.types
    for parent in reversed(record.bases.values()):
        given = ((name, one) for name, one in parent.types.items() if type(one).__name__ == "Given")
        types = {one.parameter: types[name] for name, one in given if name in types}
    return replace(scope, own=fitting[scope.integer(0, len(fitting) - 1)], types=types)
