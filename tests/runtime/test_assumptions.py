"""What soundness assumes of JAX: `docs/soundness.md` lists each assumption with its test here.

If a test fails with a new version of JAX, the part of the runtime that its docstring names may give
wrong results with that version.
"""

from __future__ import annotations

import operator
import re
import threading
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import internals
from codegen.runtime.call.errors import is_of_deleted
from codegen.runtime.internals import active, is_tracing_publicly, no_trace
from tests.runtime.sample import Linear

SOUNDNESS = Path(__file__).parents[2] / "docs/soundness.md"


class Key:
    """Metadata with a count of its comparisons."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.hashes = self.comparisons = 0

    def __hash__(self) -> int:
        self.hashes += 1
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        self.comparisons += 1
        return isinstance(other, Key) and self.value == other.value


def test_treedefs_compare_metadata_and_unflatten_functions() -> None:
    """Keys as metadata (`keys/`, `classes/registration.py`)."""

    class One:
        x: Any
        key: Any

    class Other(One):
        pass

    def unflatten(_key: Any, _children: Any) -> One:
        return One()

    for cls in (One, Other):
        jax.tree_util.register_pytree_with_keys(
            cls,
            lambda obj: (((jax.tree_util.GetAttrKey("x"), obj.x),), obj.key),
            unflatten,
        )
    key = Key(1)
    found: list[Any] = []
    for cls, meta in ((One, key), (One, key), (One, Key(1)), (One, Key(2)), (Other, key)):
        obj = cls()
        obj.x, obj.key = 0.0, meta
        found.append(jax.tree.structure(obj))
    assert [found[0] == other for other in found] == [True, True, True, False, False]
    # Identical metadata is equal without `==`, so comparing an interned key is fast.
    key.comparisons = 0
    assert found[0] == found[1]
    assert key.comparisons == 0


def test_jit_finds_programs_by_hash_and_equality_of_static_arguments() -> None:
    """One program for each structure of arguments (`call/programs.py`)."""
    traced: list[int] = []

    def run(key: Key, x: Any) -> Any:
        traced.append(key.value)
        return x + key.value

    jitted = jax.jit(run, static_argnums=0)
    keys = [Key(i) for i in range(40)]
    for _ in range(2):
        for key in keys:
            key.comparisons = 0
            assert jitted(key, 1.0) == 1 + key.value
    assert traced == [*range(40)]
    assert sum(key.comparisons for key in keys) == 0, "JAX searches among all static values"
    assert jitted(Key(1), 1.0) == 2
    assert len(traced) == 40


def test_a_result_has_the_keys_of_its_own_program() -> None:
    """The structure of a result is the key of a dict (`call/structures.py`)."""
    created: list[Any] = []

    @jax.jit
    def run(x: Any) -> Any:
        created.append(object())
        return {created[-1]: x}

    for _ in range(2):
        for number, x in enumerate((jnp.ones(2), jnp.ones(3), jnp.ones(2, jnp.int32))):
            (key,) = run(x)
            assert key is created[number]
    assert len(created) == 3


def test_only_donated_arguments_are_deleted() -> None:
    """Field by field donation, and the message for a deleted array (`splitting.py`, `call/errors.py`)."""

    def run(donated: list[Any], kept: list[Any]) -> Any:
        return [donated[0] + kept[0]], donated[1] * 2

    donated, kept = [jnp.ones(2), jnp.ones(3)], [jnp.ones(2)]
    jitted = jax.jit(run, donate_argnums=0)
    jitted(donated, kept)
    assert [x.is_deleted() for x in donated + kept] == [True, True, False]
    with pytest.raises((RuntimeError, ValueError)) as caught:
        jitted(donated, kept)
    assert is_of_deleted(caught.value)


def test_a_program_of_kept_arguments_copies_what_it_returns() -> None:
    """An array that is returned unchanged does not travel through the program (`call/structures.py`)."""
    x = jnp.ones(2)
    y = jax.jit(lambda x: x)(x)
    assert y is not x
    assert not x.is_deleted()


def test_trace_state_is_that_of_the_thread() -> None:
    """While JAX traces, a call donates nothing (`tracing.py`)."""
    seen: list[tuple[bool, bool]] = []

    def look(x: Any) -> Any:
        seen.append((active.value is not no_trace, is_tracing_publicly()))
        return x * 1.0

    look(1.0)
    thread = threading.Thread(target=look, args=(1.0,))
    thread.start()
    thread.join()
    assert seen == [(False, False)] * 2
    seen.clear()
    ones = jnp.ones(2)
    jax.jit(look)(1.0)
    jax.vmap(look)(ones)
    jax.grad(look)(1.0)
    jax.jvp(look, (1.0,), (1.0,))
    jax.eval_shape(look, 1.0)
    jax.lax.scan(lambda c, x: (look(c), x), 1.0, ones)
    jax.lax.cond(True, look, lambda x: x, 1.0)
    jax.checkpoint(look)(1.0)
    assert seen
    assert set(seen) == {(True, True)}


def test_leaves_are_flattened_in_the_order_of_children() -> None:
    """The positions of donated leaves (`call/structures.py`, `splitting.py`)."""
    tree = [Linear(jnp.ones(1), jnp.ones(2)), {"b": jnp.ones(4), "a": jnp.ones(3)}, None]
    leaves = jax.tree.leaves(tree)
    treedef: Any = jax.tree.structure(tree)
    assert [leaf.shape for leaf in leaves] == [(1,), (2,), (3,), (4,)]
    assert treedef.unflatten(range(4))[1] == {"a": 2, "b": 3}
    again = jax.tree.leaves(treedef.unflatten(leaves))
    assert all(map(operator.is_, again, leaves))


def test_weak_types_are_visible_and_can_be_removed() -> None:
    """Numbers and arrays run one program (`classes/values.py`)."""
    number = jnp.asarray(1.0)
    strong = jax.lax.convert_element_type(number, jnp.float32)
    assert (jax.typeof(number).weak_type, jax.typeof(strong).weak_type) == (True, False)


def test_keys_and_their_data_share_a_buffer() -> None:
    """A key and its data in one call are refused (`call/buffers.py`)."""
    key: Any = jax.random.key(0)
    data = jax.random.key_data(key)
    assert key._base_array.unsafe_buffer_pointer() == data.unsafe_buffer_pointer()


def test_a_ref_has_one_array_that_can_be_replaced() -> None:
    """Refs are written in place in JAX's fast path (`in_place.py`); without it, by JAX."""
    ref: Any = jax.new_ref(jnp.zeros(2))
    # On jax 0.12 the content is committed to its device, and so is each result of a call with it.
    jitted = jax.jit(lambda x, y: x + y, donate_argnums=0)
    for committed in (False, True):
        y = jax.device_put(jnp.ones(2), jax.devices()[0]) if committed else jnp.ones(2)
        array = ref._refs._buf
        ref._refs._buf = jitted(array, y)
        assert array.is_deleted()
    assert ref[...].tolist() == [2, 2]
    # A Ref is a copy, and reading it creates an array that later writes do not change.
    source = jnp.zeros(2)
    ref = jax.new_ref(source)
    early = ref[...]
    ref[0] = 5.0
    assert (source.tolist(), early.tolist(), np.asarray(ref[...]).tolist()) == (
        [0, 0],
        [0, 0],
        [5, 0],
    )


def test_private_names_exist() -> None:
    """Each is only for speed or for messages, and has a replacement (`internals.py`)."""
    assert internals.array_type is not None
    assert internals.is_array_deleted is internals.array_type.is_deleted
    assert callable(internals.source_info.register_exclusion)
    assert not isinstance(active, internals._PublicState)
    assert active.value is no_trace
    assert internals.trace_state is not internals._public_trace_state


def test_page_about_soundness_names_a_test_for_each_guarantee() -> None:
    text = SOUNDNESS.read_text(encoding="utf-8").partition("## As in plain JAX")[0]
    guarantees = re.findall(r"^- \*\*.*(?:\n  .*)*", text, re.MULTILINE)
    assert len(guarantees) > 30
    assert [one for one in guarantees if "`tests/" not in one] == []


def test_page_about_soundness_names_existing_tests() -> None:
    root = Path(__file__).parents[2]
    text = SOUNDNESS.read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    own = re.findall(r"`(test_\w+)`", text)
    named += [("tests/runtime/test_assumptions.py", name) for name in own]
    missing = [
        (file, name)
        for file, name in named
        if f"def {name}(" not in (root / file).read_text(encoding="utf-8")
    ]
    assert not missing
    assert len(named) > 50
