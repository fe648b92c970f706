"""The properties of generated classes, each a function of objects that it checks.

    round_trip(plate)           # AssertionError if flattening loses something
    trace_once(plate, copy)

They use JAX like any program, and compare by `content`, which does not use the generated code of a
class.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
import multiprocessing
import pickle
import sys
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

import jax
import jax.numpy as jnp
import pytest
from jax.tree_util import keystr

from codegen.testing.content import content, is_key, leaves_of, static_content, structure
from codegen.testing.declared import record_of, roles_of, run_time

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


def round_trip(value: Any) -> None:
    """Flattened and unflattened, an object is equal and has the same leaf objects.

    This also holds for a Python subclass, which is a different class to JAX.
    """
    _round_trip(value)
    # A field with `convert=` would then get another value.
    cls: Any = type(value)
    if not record_of(cls).converted:
        fields = {name: getattr(value, name) for name in roles_of(value) or {}}
        derived = _derived(cls)(**fields)
        _round_trip(derived)
        here, there = _tree.flatten(value), _tree.flatten(derived)
        assert content(here[0]) == content(there[0]), "a Python subclass has other leaves"
        assert here[1] != there[1], "a Python subclass has the same treedef"


@functools.cache
def _derived(cls: Any) -> Any:
    """Return a Python subclass of a generated class."""
    return type(cls)(f"Derived{cls.__name__}", (cls,), {"__module__": __name__})


def _round_trip(value: Any) -> None:
    leaves, treedef = _tree.flatten(value)
    again = _tree.unflatten(treedef, leaves)
    assert type(again) is type(value), f"unflattened, it became a {type(again)}"
    assert content(again) == content(value), (
        f"flattening and unflattening changed it: {_diff(value, again)}"
    )
    assert _are_same(_tree.leaves(again), leaves), "its leaves are in another order"
    assert _tree.structure(again) == treedef, "its treedef has changed"
    assert hash(_tree.structure(again)) == hash(treedef), "its hash has changed"
    for path, leaf in _jax.tree_util.tree_leaves_with_path(value):
        assert functools.reduce(_at, path, value) is leaf, f"the leaf is not at {keystr(path)}"


def _diff(one: Any, other: Any) -> Any:
    """Return the fields in which two objects differ, by the `diff` of their package."""
    return run_time(record_of(type(one))).diff(one, other)


def _are_same(some: list[Any], others: list[Any]) -> bool:
    return len(some) == len(others) and all(
        one is other for one, other in zip(some, others, strict=True)
    )


def _at(value: Any, key: Any) -> Any:
    if isinstance(key, jax.tree_util.GetAttrKey):
        return getattr(value, key.name)
    if isinstance(key, jax.tree_util.SequenceKey):
        return value[key.idx]
    if isinstance(key, jax.tree_util.DictKey):
        return value[key.key]
    return _tree.leaves(value)[0]  # of a foreign type, which defines its own paths


def as_declared(value: Any) -> None:
    """`check` accepts a value that is drawn by its schema: dtypes, ranks, sizes."""
    assert value.check() is value, "`check` returns another object"


def agree(one: Any, other: Any) -> None:
    """`==` compares all content, the hash agrees with it, and treedefs are exact."""
    same = content(one) == content(other)
    if "__eq__" in vars(type(one)):  # With `eq=False` a mixin defines it.
        assert (one == other) is same, f"`==` returned {one == other}"
        assert (one != other) is not same, f"`!=` returned {one != other}"
    if type(one) is type(other):
        differences = _diff(one, other)
        assert (not differences) is same, f"`diff` returned: {differences}"
    if _is_static(one):
        assert not same or hash(one) == hash(other), "equal objects have different hashes"
    here, there = _tree.structure(one), _tree.structure(other)
    known = _treedef_content(one) == _treedef_content(other)
    assert bool(here == there) is known, f"`==` of the treedefs returned {here == there}"
    assert not known or hash(here) == hash(there), "equal treedefs have different hashes"


def are_equal(one: Any, other: Any) -> None:
    """Equal objects that were created independently agree in everything."""
    assert content(one) == content(other), f"two equal samples differ: {_diff(one, other)}"
    agree(one, other)


def _is_static(value: Any) -> bool:
    """Return whether the class of an object is declared static, so that it has a hash."""
    roles = roles_of(value)
    if not roles:  # Without fields, `use=` decides: a dynamic one has `like`.
        return roles is not None and not hasattr(type(value), "like")
    return all(role == "static" for role in roles.values())


def _treedef_content(value: Any) -> Hashable:
    """Return what a treedef contains: the structure, without shapes and dtypes."""
    return structure(_tree.map(lambda _: 0, value))


def trace_once(one: Any, other: Any) -> None:
    """A call with an equal copy never traces again."""
    assert structure(one) == structure(other), "two equal samples have different tree structures"
    assert set(_traces(one, other)) == {1}, "an equal copy was traced again"


def trace_twice(one: Any, other: Any) -> None:
    """A call with another value never runs the program that was compiled for the first."""
    expected = len({structure(one), structure(other)})
    counts = _traces(one, other)
    assert set(counts) == {expected}, f"{counts} traces instead of {expected}"


def _traces(one: Any, other: Any) -> list[int]:
    """Count the traces as an ordinary argument and, for a static class, as a static one."""
    counts = [_count(one, other)]
    if _is_static(one):
        counts.append(_count(one, other, static_argnums=0))
    return counts


def _count(one: Any, other: Any, **options: Any) -> int:
    traced: list[Any] = []

    def function(value: Any) -> int:
        traced.append(value)
        return 0

    compiled = _jax.jit(function, **options)
    for value in (one, other, one, other):
        compiled(value)
    return len(traced)


def placeholders(value: Any) -> None:
    """Any value may replace a leaf, or a whole child, and passes through unflatten."""
    leaves, treedef = _tree.flatten(value)
    children, outer = _tree.flatten(value, is_leaf=lambda part: _is_child(part, value))
    device = _jax.sharding.SingleDeviceSharding(jax.devices()[0])
    for name, odd in {**_STAND_INS, "a sharding": device}.items():
        filled = _tree.unflatten(treedef, [odd] * len(leaves))
        items = treedef.flatten_up_to(filled)
        assert all(leaf is odd for leaf in items), f"{name} as a leaf is not passed on"
        assert _statics(filled) == _statics(value), f"{name} as a leaf changes a static field"
        hollow = _tree.unflatten(outer, [odd] * len(children))
        items = outer.flatten_up_to(hollow)
        assert all(child is odd for child in items), f"{name} as a child is not passed on"
    for tag in record_of(type(value)).all_tags:
        assert _tree.structure(value.mask(tag)) == treedef, f"`mask({tag!r})` changes the structure"
        assert _tree.structure(value.labels()) == treedef, "`labels()` changes the structure"
    # JAX returns no Refs.
    shapes = _jax.eval_shape(lambda traced: _tree.map(_read, traced), value)  # with tracers
    assert _tree.structure(shapes) == treedef, "a trace changes the structure"


def _read(leaf: Any) -> Any:
    return leaf[...] if _is_ref(leaf) else leaf


def _is_ref(leaf: Any) -> bool:
    return isinstance(leaf, jax.Ref)


def _is_child(part: Any, value: Any) -> bool:
    # A path that shares a part has a placeholder in the tree, which is not a child.
    return part is not value and type(part).__qualname__ != "Hole"


def _statics(value: Any) -> list[Hashable]:
    """Return only the static fields of an object, whatever its other fields contain."""
    roles = roles_of(value) or {}
    names = [name for name, role in roles.items() if role == "static"]
    return [static_content(getattr(value, name)) for name in names]


def pickled(value: Any) -> None:
    """After pickling or copying, an object is equal to the original, with an equal treedef."""
    for again in (
        pickle.loads(_pickle(value)),  # noqa: S301 - pickled here
        copy.copy(value),
        copy.deepcopy(value),
    ):
        assert type(again) is type(value), f"its class is {type(again)}"
        are_equal(value, again)


def _pickle(value: Any) -> bytes:
    try:
        return pickle.dumps(value)
    except _NOT_PICKLED:
        for name in roles_of(value) or {}:
            part = getattr(value, name)
            if roles_of(part) is None and not _can_be_pickled(part):
                kind = type(part).__qualname__
                pytest.skip(f"a `{kind}` cannot be pickled")
        raise


def replaced(one: Any, other: Any) -> None:
    """`replace` changes only the given fields."""
    are_equal(one, one.replace())
    shared = {path[0] for paths in record_of(type(one)).shares for path in paths}
    # `convert=` may change the value, and `dataclasses` converts it again.
    converted = record_of(type(one)).converted
    for name in (roles_of(one) or {}).keys() - {*converted}:
        given_value = getattr(other, name)
        try:
            changed = one.replace(**{name: given_value})
        except ValueError:  # of a `__check_init__`, or of parts that are not shared
            continue
        assert type(changed) is type(one), f"its class is {type(changed)}"
        if name not in shared:
            if not converted:
                are_equal(changed, dataclasses.replace(one, **{name: given_value}))
            _only(name, one, given_value, changed)
    if sys.version_info >= (3, 13):
        are_equal(one, copy.replace(one))


def _only(name: str, before: Any, given_value: Any, after: Any) -> None:
    for each, role in (roles_of(before) or {}).items():
        expected = given_value if each == name else getattr(before, each)
        actual = getattr(after, each)
        of = static_content if role == "static" else content
        assert of(actual) == of(expected), f"{each} is {actual!r}"


def donation(value: Any) -> None:
    """Only the leaves that are donated along their whole path give up their buffer."""
    value = _tree.map(lambda leaf: leaf if _is_ref(leaf) else jnp.asarray(leaf), value)
    record = record_of(type(value))
    split = run_time(record).split

    def call(self: Any, value: Any) -> Any:
        donated: list[Any] = []
        kept: list[Any] = []
        structure = split(value, donated, kept)
        return self.run((structure,), donated, kept, (value,))

    def change(value: Any) -> Any:
        return _tree.map(_changed, value)

    function = run_time(record).Function(call, change, name="change", donated=["value"])
    text: str = function.lower(value).as_text()
    expected = sum(is_donated for _, _, is_donated in leaves_of(value))
    count = text.count("tf.aliasing_output")
    assert count == expected, f"{count} buffers are reused, not {expected}"


def _changed(leaf: Any) -> Any:
    """Compute another array of the same shape and dtype, for its buffer; keep a Ref."""
    if _is_ref(leaf):
        return leaf
    if is_key(leaf):
        data = jax.random.key_data(leaf)
        return jax.random.wrap_key_data(data + 1, impl=jax.random.key_impl(leaf))
    return ~leaf if leaf.dtype == jnp.bool_ else leaf + jnp.ones((), leaf.dtype)


def different_treedefs(values: Sequence[Any]) -> None:
    """No two classes have equal treedefs, whatever their fields."""
    for index, one in enumerate(values):
        for other in values[:index]:
            here, there = _tree.structure(one), _tree.structure(other)
            names = f"`{type(one).__name__}` and `{type(other).__name__}`"
            assert here != there, f"{names} have the treedef {here}"


def packed(value: Any, pack: Callable[..., Any], unpack: Callable[..., Any]) -> None:
    """Packed and unpacked, an object is equal; its text is the same in every process."""
    arrays, about = pack(value)
    document = json.loads(about)
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    assert about == canonical, "its text is not canonical"
    try:
        again = unpack(type(value), arrays, about)
    except ValueError as error:
        # Most functions need `like=`, as do values that no schema declares.
        differences = getattr(error, "differences", ())
        if not all("`like=" in text or "`statics=" in text for text in differences):
            raise
        again = unpack(type(value), arrays, about, like=value)
    assert content(again) == content(value), f"`unpack` returned {again}"
    assert pack(again).about == about, "packing it again returns another text"
    if _can_be_pickled(value):
        there = _elsewhere().submit(_text, pack, pickle.dumps(value)).result()
        assert there == about, "another process packs it to another text"


@functools.cache
def _elsewhere() -> ProcessPoolExecutor:
    """Return an executor in another process, with other addresses and string hashes."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, context, initializer=_on_cpu)


def _on_cpu() -> None:
    _jax.config.update("jax_platforms", "cpu")


def _text(pack: Callable[..., Any], value: bytes) -> str:
    text: str = pack(pickle.loads(value)).about  # noqa: S301 - pickled here
    return text


def _can_be_pickled(value: object) -> bool:
    try:
        pickle.dumps(value)
    except _NOT_PICKLED:
        return False
    return True
