"""The properties of generated classes, each a function of objects that it checks.

    round_trip(plate)           # AssertionError if flattening loses something
    trace_once(plate, copy)

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
from collections.abc import Callable
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
_STAND_INS: Final = {
    "None": None,
    "an object": object(),
    "a bool": True,
    "a text": "text",
    "a shape": _jax.ShapeDtypeStruct((2,), jnp.float32),
    "a spec": _jax.sharding.PartitionSpec("x"),
}


def is_generated(value: object) -> bool:
    """Return whether a value is an object of a generated class."""
    return record_of(type(value)) is not None


def is_ref(leaf: object) -> bool:
    """Return whether a leaf is a Ref."""
    return isinstance(leaf, jax.Ref)


# --- comparison


def _diff(one: Any, other: Any) -> Any:
    """Return the fields in which two objects differ."""
    if type(one) is not type(other):
        return f"a {type(one)} is not a {type(other)}"
    return run_time(record_of(type(one))).diff(one, other)


def _compare(record: Any, one: Any, other: Any, path: str = "", **options: bool) -> list[Any]:
    """Return the differences of any two values, by the run time of a class."""
    compare = run_time(record, "classes.values").iter_differences
    return [*compare(one, other, path, **{"is_static": False, **options})]


def _is_same(one: Any, other: Any) -> bool:
    return not _diff(one, other)


def _has_one_trace(one: Any, other: Any) -> bool:
    """Return whether one trace is enough for both: they differ only in numbers."""
    return _is_same(_tree.map(_form, one), _tree.map(_form, other))


def _form(leaf: Any) -> str:
    """Describe a leaf as far as a trace depends on it."""
    aval = _jax.typeof(leaf)
    return f"{aval} {getattr(aval, 'weak_type', False)}"


# --- flattening


def round_trip(value: Any) -> None:
    """Flattened and unflattened, an object is equal and has the same leaf objects.

    This also holds for a Python subclass, which is a different class to JAX.
    """
    _round_trip(value)
    # A field with `convert=` would then get another value.
    cls: Any = type(value)
    if not record_of(cls).converted:
        fields = {name: getattr(value, name) for name in fields_of(cls)}
        derived = _derived(cls)(**fields)
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
    assert _is_same(value, again), f"flattening and unflattening changed it: {_diff(value, again)}"
    assert _are_same(_tree.leaves(again), leaves), "its leaves are in another order"
    assert _tree.structure(again) == treedef, "its treedef has changed"
    assert hash(_tree.structure(again)) == hash(treedef), "its hash has changed"
    for path, leaf in _jax.tree_util.tree_leaves_with_path(value):
        assert functools.reduce(_at, path, value) is leaf, f"the leaf is not at {keystr(path)}"


def _are_same(some: list[Any], others: list[Any]) -> bool:
    return len(some) == len(others) and all(map(lambda one, other: one is other, some, others))


def _at(value: Any, key: Any) -> Any:
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
    # A path that shares a part has a placeholder in the tree, which is not a child.
    is_child: Callable[[Any], bool] = lambda part: (  # noqa: E731
        part is not value and type(part).__qualname__ != "Hole"
    )
    trees = [_tree.flatten(value), _tree.flatten(value, is_leaf=is_child)]
    device = _jax.sharding.SingleDeviceSharding(jax.devices()[0])
    for name, odd in {**_STAND_INS, "a sharding": device}.items():
        for leaves, treedef in trees:
            filled = _tree.unflatten(treedef, [odd] * len(leaves))
            items = treedef.flatten_up_to(filled)
            assert all(item is odd for item in items), f"{name} is not passed on"
    treedef = trees[0][1]
    # JAX returns no Refs.
    read: Callable[[Any], Any] = lambda leaf: leaf[...] if is_ref(leaf) else leaf  # noqa: E731
    shapes = _jax.eval_shape(lambda traced: _tree.map(read, traced), value)  # with tracers
    assert _tree.structure(shapes) == treedef, "a trace changes the structure"


def as_declared(value: Any) -> None:
    """`check` accepts a value that is drawn by its schema: dtypes, ranks, sizes."""
    assert value.check() is value, "`check` returns another object"


# --- equality and keys


def agree(one: Any, other: Any) -> None:
    """`==` compares all fields, the hash agrees with it, and treedefs are exact."""
    same = _is_same(one, other)
    if "__eq__" in vars(type(one)):  # With `eq=False` a mixin defines it.
        assert (one == other) is same, f"`==` returned {one == other}"
        assert (one != other) is not same, f"`!=` returned {one != other}"
    if _is_static(one):
        assert not same or hash(one) == hash(other), "equal objects have different hashes"
    here, there = _tree.structure(one), _tree.structure(other)
    known = _is_same(*(_tree.map(lambda _: 0, each) for each in (one, other)))
    assert bool(here == there) is known, f"`==` of the treedefs returned {here == there}"
    assert not known or hash(here) == hash(there), "equal treedefs have different hashes"


def are_equal(one: Any, other: Any) -> None:
    """Equal objects that were created independently agree in everything."""
    assert _is_same(one, other), f"two equal samples differ: {_diff(one, other)}"
    agree(one, other)


def _is_static(value: Any) -> bool:
    """Return whether the class of an object is declared static, so that it has a hash."""
    record = record_of(type(value))
    # Without fields, `use=` decides: a dynamic one has `like`.
    return not record.data_fields and (bool(record.meta_fields) or not hasattr(value, "like"))


def trace_once(one: Any, other: Any) -> None:
    """A call with an equal copy never traces again."""
    assert _has_one_trace(one, other), "two equal samples have different tree structures"
    trace_twice(one, other)


def trace_twice(one: Any, other: Any) -> None:
    """A call with another value never runs the program that was compiled for the first."""
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
        for part in (getattr(value, name) for name in fields_of(type(value))):
            if not is_generated(part) and not _can_be_pickled(part):
                pytest.skip(f"a `{type(part).__qualname__}` cannot be pickled")
        raise
    for one in (again, copy.copy(value), copy.deepcopy(value)):
        are_equal(value, one)


def _can_be_pickled(value: object) -> bool:
    try:
        pickle.dumps(value)
    except _NOT_PICKLED:
        return False
    return True


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
            expected = given.get(each, getattr(one, each))
            is_static = each in record.meta_fields
            found = _compare(record, getattr(changed, each), expected, each, is_static=is_static)
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
    assert _is_same(again, value), f"`unpack` returned {again}"
    assert checkpoint.pack(again).about == about, "packing it again returns another text"
