"""The properties of generated classes, each a function of objects that it checks.

    round_trip(plate)               # AssertionError if flattening loses something
    trace_exactly(plate, copy)

They use JAX like any program, and compare objects by `diff` of the run time. It reads the fields, so
it does not use the generated methods of a class.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
import pickle
import sys
from typing import Any, Final

import jax
import jax.numpy as jnp
import pytest
from jax.tree_util import keystr

from codegen.testing.declared import fields_of, record_of, run_time

# JAX's own types are too loose for much of its use here.
_jax: Final[Any] = jax
_tree: Final[Any] = jax.tree
_NOT_PICKLED: Final = (AttributeError, TypeError, pickle.PicklingError)


# --- comparison


def _compare(record: Any, one: Any, other: Any, path: str = "", *, is_static: bool = False) -> Any:
    """Return the differences of any two values, by the run time of a class."""
    compare = run_time(record, "classes.values").iter_differences
    return [*compare(one, other, path, is_static=is_static)]


def _diff(one: Any, other: Any) -> Any:
    """Return the fields in which two objects differ."""
    if type(one) is not type(other):
        return f"a {type(one)} is not a {type(other)}"
    return run_time(record_of(type(one))).diff(one, other)


def _has_one_trace(one: Any, other: Any) -> bool:
    """Return whether one trace is enough for both: they differ only in numbers."""

    def form(leaf: Any) -> str:
        aval = _jax.typeof(leaf)
        return f"{aval} {getattr(aval, 'weak_type', False)}"

    return not _diff(_tree.map(form, one), _tree.map(form, other))


# --- flattening


def round_trip(value: Any) -> None:
    """Flattened and unflattened, an object is equal and has the same leaf objects.

    This also holds for a Python subclass, which is a different class to JAX.
    """
    _round_trip(value)
    # A field with `convert=` would then get another value.
    cls: Any = type(value)
    if not record_of(cls).converted:
        derived = _derived(cls)(**{name: getattr(value, name) for name in fields_of(cls)})
        _round_trip(derived)
        here, there = _tree.flatten(value), _tree.flatten(derived)
        found = _compare(record_of(cls), here[0], there[0])
        assert not found, f"a Python subclass has other leaves: {found}"
        assert here[1] != there[1], "a Python subclass has the same treedef"


@functools.cache
def _derived(cls: Any) -> Any:
    """Return a Python subclass of a generated class."""
    return type(cls)(f"Derived{cls.__name__}", (cls,), {"__module__": __name__})


def _round_trip(value: Any) -> None:
    leaves, treedef = _tree.flatten(value)
    again = _tree.unflatten(treedef, leaves)
    assert not _diff(value, again), f"unflattening changed it: {_diff(value, again)}"
    assert [*map(id, _tree.leaves(again))] == [*map(id, leaves)], "its leaves changed"
    assert _tree.structure(again) == treedef, "its treedef has changed"
    assert hash(_tree.structure(again)) == hash(treedef), "its hash has changed"
    for path, leaf in _jax.tree_util.tree_leaves_with_path(value):
        assert functools.reduce(part_at, path, value) is leaf, f"the leaf is not at {keystr(path)}"


def part_at(value: Any, key: Any) -> Any:
    """Return the part of a value at one step of a JAX path."""
    match key:
        case jax.tree_util.GetAttrKey():
            return getattr(value, key.name)
        case jax.tree_util.SequenceKey():
            return value[key.idx]
        case jax.tree_util.DictKey():
            return value[key.key]
        case _:
            return _tree.leaves(value)[0]  # of a foreign type, which defines its own paths


def placeholders(value: Any) -> None:
    """Any value may replace a leaf, or a whole child, and passes through unflatten."""
    shape, spec = _jax.ShapeDtypeStruct((2,), jnp.float32), _jax.sharding.PartitionSpec("x")
    sharding = _jax.sharding.SingleDeviceSharding(jax.devices()[0])
    # A path that shares a part has a placeholder in the tree, which is not a child.
    children = _tree.flatten(
        value, is_leaf=lambda part: part is not value and type(part).__qualname__ != "Hole"
    )
    for leaves, treedef in (_tree.flatten(value), children):
        for odd in (None, object(), True, "text", shape, spec, sharding):
            items = treedef.flatten_up_to(_tree.unflatten(treedef, [odd] * len(leaves)))
            assert all(item is odd for item in items), f"{odd!r} is not passed on"
    # With tracers. JAX returns no Refs.
    read = functools.partial(_tree.map, lambda leaf: leaf[...] if _is_ref(leaf) else leaf)
    shapes = _jax.eval_shape(read, value)
    assert _tree.structure(shapes) == _tree.structure(value), "a trace changes the structure"


def _is_ref(leaf: object) -> bool:
    return isinstance(leaf, jax.Ref)


def as_declared(value: Any) -> None:
    """`check` accepts a value that is drawn by its schema: dtypes, ranks, sizes."""
    assert value.check() is value, "`check` returns another object"


# --- equality and keys


def agree(one: Any, other: Any) -> None:
    """`==` compares all fields, the hash agrees with it, and treedefs are exact."""
    same = not _diff(one, other)
    if "__eq__" in vars(type(one)):  # With `eq=False` a mixin defines it.
        assert (one == other) is same, f"`==` returned {one == other}"
        assert (one != other) is not same, f"`!=` returned {one != other}"
    if _is_static(one):
        assert not same or hash(one) == hash(other), "equal objects have different hashes"
    here, there = _tree.structure(one), _tree.structure(other)
    known = not _diff(*(_tree.map(lambda _: 0, each) for each in (one, other)))
    assert bool(here == there) is known, f"`==` of the treedefs returned {here == there}"
    assert not known or hash(here) == hash(there), "equal treedefs have different hashes"


def are_equal(one: Any, other: Any) -> None:
    """Equal objects that were created independently agree in everything."""
    assert not _diff(one, other), f"two equal samples differ: {_diff(one, other)}"
    agree(one, other)


def _is_static(value: Any) -> bool:
    """Return whether the class of an object is declared static, so that it has a hash."""
    record = record_of(type(value))
    # Without fields, `use=` decides: a dynamic one has `like`.
    return not record.data_fields and (bool(record.meta_fields) or not hasattr(value, "like"))


def trace_exactly(one: Any, other: Any) -> None:
    """A call with an equal copy never traces again; one with another value always does."""
    expected = 1 if _has_one_trace(one, other) else 2
    # As an ordinary argument and, for a static class, as a static one.
    for options in ({}, {"static_argnums": 0}) if _is_static(one) else ({},):
        traced: list[Any] = []
        compiled = _jax.jit(lambda value, seen=traced: len(seen.append(value) or seen), **options)
        for value in (one, other, one, other):
            compiled(value)
        assert len(traced) == expected, f"{len(traced)} traces instead of {expected}"


# --- copies


def pickled(value: Any) -> None:
    """After pickling or copying, an object is equal to the original, with an equal treedef."""
    try:
        again = pickle.loads(pickle.dumps(value))  # noqa: S301 - pickled here
    except _NOT_PICKLED:
        try:
            pickle.dumps([getattr(value, name) for name in fields_of(type(value))])
        except _NOT_PICKLED as error:
            pytest.skip(f"a part of it cannot be pickled: {error}")
        raise
    for one in (again, copy.copy(value), copy.deepcopy(value)):
        are_equal(value, one)


def replaced(one: Any, other: Any) -> None:
    """`replace` changes only the given fields."""
    are_equal(one, one.replace())
    record = record_of(type(one))
    shared = {path[0] for paths in record.shares for path in paths}
    # `convert=` may change the value, and `dataclasses` converts it again.
    for name in fields_of(type(one)).keys() - {*record.converted, *shared}:
        given = {name: getattr(other, name)}
        try:
            changed = one.replace(**given)
        except ValueError:  # of a `__check_init__`
            continue
        if not record.converted:
            are_equal(changed, dataclasses.replace(one, **given))
        for each in fields_of(type(one)):
            pair = getattr(changed, each), given.get(each, getattr(one, each))
            found = _compare(record, *pair, each, is_static=each in record.meta_fields)
            assert not found, f"`replace` changed {found}"
    if sys.version_info >= (3, 13):
        are_equal(one, copy.replace(one))


def packed(value: Any) -> None:
    """Packed and unpacked, an object is equal, and its text is canonical."""
    checkpoint = run_time(record_of(type(value)), "checkpoint")
    arrays, about = checkpoint.pack(value)
    canonical = json.dumps(json.loads(about), sort_keys=True, separators=(",", ":"))
    assert about == canonical, "its text is not canonical"
    try:
        again = checkpoint.unpack(type(value), arrays, about)
    except ValueError as error:
        # Most functions need `like=`, as do values that no schema declares.
        differences = getattr(error, "differences", ())
        if not all("`like=" in text or "`statics=" in text for text in differences):
            raise
        again = checkpoint.unpack(type(value), arrays, about, like=value)
    assert not _diff(again, value), f"`unpack` returned {again}"
    assert checkpoint.pack(again).about == about, "packing it again returns another text"
