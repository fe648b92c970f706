"""The rows of `python -m benchmarks`: the same work in each library.

    ROWS["flatten"](define(library, ...), library)    ->    a function that flattens once

For each library, a row returns the work to time, or None if the library lacks the feature.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp

from benchmarks.peers.define import define, module_of
from benchmarks.peers.libraries import Library, Spec

Work: TypeAlias = Callable[[], Any]
Row: TypeAlias = Callable[[Library], Work | None]

STATICS = (("order", "int"), ("scale", "float"), ("name", "str"))
VALUES: dict[str, Any] = {"order": 2, "scale": 0.5, "name": "state"}
VARIANTS = 1000

_STEP = """
from codegen.schema import impl

@impl("benchmarks.peers.rows:stepped")
def step(state: donated[State]) -> State: ...
"""


def names(count: int) -> tuple[str, ...]:
    """Return this many names of fields."""
    return tuple(f"field_{number}" for number in range(count))


def _arrays(count: int) -> dict[str, jax.Array]:
    return {name: jnp.full((4,), i, jnp.float32) for i, name in enumerate(names(count))}


@functools.cache
def _states(library: Library, count: int) -> Any:
    statics = STATICS if library.has_statics else ()
    more = _STEP if library.is_generated else ""
    return define(library, [Spec("State", names(count), statics)], more)


def _state(library: Library, count: int) -> Any:
    statics = VALUES if library.has_statics else {}
    return _states(library, count).State(**_arrays(count), **statics)


def definition(library: Library) -> Work:
    """Import a module of 200 classes from bytecode."""
    statics = STATICS if library.has_statics else ()
    specs = [Spec(f"State{number}", names(10), statics) for number in range(200)]
    name = module_of(library, specs)
    sys.dont_write_bytecode = False
    importlib.import_module(name)

    def work() -> Any:
        del sys.modules[name]
        return importlib.import_module(name)

    return work


def construct(library: Library) -> Work:
    """Construct an object with ten arrays and three static values that another live object has too."""
    work, held = construct_first(library), _state(library, 10)
    return lambda: work() is held


def construct_first(library: Library) -> Work:
    """Construct the same object while no object with these static values is alive."""
    state = _states(library, 10).State
    given = _arrays(10) | (VALUES if library.has_statics else {})
    return lambda: state(**given)


def construct_static(library: Library) -> Work | None:
    """Construct an object with three static values and no array."""
    if not library.has_statics:
        return None
    cls, held = _static_class(library), _static_class(library)(**VALUES)
    return lambda: cls(**VALUES) is held


@functools.cache
def _static_class(library: Library) -> Any:
    return define(library, [Spec("Settings", (), STATICS)]).Settings


def flatten(library: Library) -> Work:
    """Flatten to leaves and a treedef."""
    state = _state(library, 10)
    return lambda: jax.tree_util.tree_flatten(state)


def unflatten(library: Library) -> Work:
    """Unflatten from leaves and a treedef."""
    leaves, treedef = jax.tree_util.tree_flatten(_state(library, 10))
    return lambda: jax.tree_util.tree_unflatten(treedef, leaves)


def tree_map(library: Library) -> Work:
    """Map a function that does nothing over the tree."""
    state = _state(library, 10)

    def same(leaf: Any) -> Any:
        return leaf

    return lambda: jax.tree_util.tree_map(same, state)


def replace(library: Library) -> Work:
    """Replace one array."""
    state, new = _state(library, 10), jnp.zeros(4)
    return lambda: library.replace(state, field_0=new)


@functools.cache
def _configurations(library: Library, count: int) -> Any:
    statics = tuple((name, "float") for name in names(count))
    return define(library, [Spec("Configuration", (), statics)]).Configuration


def _configuration(library: Library, count: int, first: float = 0.5) -> Any:
    values = {name: first + i for i, name in enumerate(names(count))}
    return _configurations(library, count)(**values)


def static_hash(library: Library) -> Work | None:
    """Hash a configuration of 50 values."""
    if not library.has_statics:
        return None
    configuration = _configuration(library, 50)
    try:
        hash(configuration)
    except TypeError:
        return None
    if hash(configuration) != hash(_configuration(library, 50)):
        return None  # by identity
    return lambda: hash(configuration)


def static_equal(library: Library) -> Work | None:
    """Compare two equal configurations of 50 values."""
    if static_hash(library) is None:
        return None
    one, other = _configuration(library, 50), _configuration(library, 50)
    return lambda: one == other


def dispatch(count: int) -> Row:
    """Call a jitted function with this many leaves."""

    def row(library: Library) -> Work:
        state = _state(library, count)
        jitted = jax.jit(lambda state: state.field_0)
        return lambda: jitted(state)

    return row


def first_call(library: Library) -> Work | None:
    """Trace and compile a function for a static value that it has not seen, and call it."""
    if not library.has_statics:
        return None
    cls, arrays = _states(library, 10).State, _arrays(10)
    # All programs are the same. XLA compiles one, and JAX then reads it from the cache on disk.
    jitted = jax.jit(lambda state: state.field_0 + state.field_1)
    numbers = itertools.count()
    return lambda: jitted(cls(**arrays, **VALUES | {"name": f"state {next(numbers)}"}))


def configured(count: int) -> Row:
    """Call with a configuration of this many values, with another copy each time."""

    def row(library: Library) -> Work | None:
        if not library.has_statics:
            return None
        copies = [_configuration(library, count) for _ in range(64)]
        array = jnp.zeros(4)
        jitted = jax.jit(lambda configuration, array: array + configuration.field_0)
        turn = 0

        def work() -> Any:
            nonlocal turn
            turn = (turn + 1) % 64
            return jitted(copies[turn], array)

        return work

    return row


def last_variant(library: Library) -> Work | None:
    """Call with the last of 1000 configurations of 5 values that were compiled."""
    if not library.has_statics:
        return None
    array = jnp.zeros(4)
    # All variants have the same program. XLA compiles it once, and JAX then reads it from the cache on disk.
    jitted = jax.jit(lambda _, array: array * 2)
    for number in range(VARIANTS):
        jitted(_configuration(library, 5, float(number)), array)
    last = _configuration(library, 5, float(VARIANTS - 1))
    return lambda: jitted(last, array)


def donated_step(library: Library) -> Work:
    """Run `state = step(state)` with ten donated arrays that all change."""
    if library.is_generated:
        step = _states(library, 10).step
    else:
        changed = functools.partial(_stepped, library)
        step = jax.jit(changed, donate_argnums=0)
    state = _state(library, 10)

    def work() -> Any:
        nonlocal state
        state = step(state)
        return state

    return work


def stepped(state: Any) -> Any:
    """Run the implementation of the donated step."""
    return state.replace(**{name: getattr(state, name) + 1.0 for name in names(10)})


def _stepped(library: Library, state: Any) -> Any:
    return library.replace(state, **{name: getattr(state, name) + 1.0 for name in names(10)})


ROWS: dict[str, Row] = {
    "class definition": definition,
    "construct": construct,
    "construct, first of its statics": construct_first,
    "construct, 3 static values": construct_static,
    "flatten": flatten,
    "unflatten": unflatten,
    "tree_map": tree_map,
    "replace": replace,
    "static hash": static_hash,
    "static ==": static_equal,
    "jit, 5 leaves": dispatch(5),
    "jit, 10 leaves": dispatch(10),
    "jit, 50 leaves": dispatch(50),
    "jit, first call": first_call,
    "jit, 50 static values": configured(50),
    "jit, 500 static values": configured(500),
    "jit, last of 1000 variants": last_variant,
    "donated step": donated_step,
}
