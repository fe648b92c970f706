# mypy: disable-error-code="no-untyped-def"
"""Every nesting of two transformations gives the same as the functional program."""

import itertools
import re
from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import lift
from tests.drafts.programs import TRANSFORMATIONS, Drafts, Functional, make
from tests.inputs import examples

# Each pair of transformations, nested in one order. With EXAMPLES_FACTOR above 1, also in the other.
PAIRS = [
    (outer, inner)
    for (i, outer), (j, inner) in itertools.product(enumerate(TRANSFORMATIONS), repeat=2)
    if (j - i) % len(TRANSFORMATIONS) in (0, 1, 2, 4) or examples(1) > 1
]
# Transformations in which a step runs more than once.
REPEATING = list(itertools.product(("scan", "while_loop", "vmap", "checkpoint"), repeat=2))
X = jnp.float32(0.75)


def leaves(tree):
    found = jax.tree.leaves(tree)
    return [np.asarray(jax.random.key_data(leaf) if is_key(leaf) else leaf) for leaf in found]


def is_key(leaf):
    return jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def run(program, loop, x):
    draft = loop.draft()
    result = program(draft, x)
    return draft.freeze(), result


@pytest.mark.parametrize(("outer", "inner"), [pair for pair in PAIRS if pair[0] != pair[1]])
def test_results_keys_and_trace_counts_equal_the_functional_program(model, outer, inner):
    loop = make(model, outer, inner)
    drafts, functional = Drafts(lift), Functional()
    program, other = drafts.build(outer, inner), functional.build(outer, inner)
    found, expected = run(program, loop, X), other(loop, X)
    assert not jnp.array_equal(found[0].u, loop.u)
    for one, its in zip(leaves(found), leaves(expected), strict=True):
        np.testing.assert_array_equal(one, its)
    drafts.seen.clear()
    functional.seen.clear()
    run(program, loop, 2 * X)
    other(loop, 2 * X)
    assert drafts.seen == functional.seen
    if "vmap" not in (outer, inner) and "grad" not in (outer, inner):
        assert not drafts.seen


def lowered(model, lift, outer, inner):
    """Return the lowered texts of the program with drafts and of the functional one."""
    loop = make(model, outer, inner)
    program = Drafts(lift).build(outer, inner)
    return [
        jax.jit(one).lower(loop, X)
        for one in (lambda loop, x: run(program, loop, x), Functional().build(outer, inner))
    ]


@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_lowered_program_has_no_more_operations_than_the_functional_one(model, outer, inner):
    """Before XLA optimises, ours has no operation more often. With jax 0.12 it has one less."""
    found, expected = (
        Counter(re.findall(r"stablehlo\.\w+|call @", one.as_text()))
        for one in lowered(model, lift, outer, inner)
    )
    assert expected.total() > 10
    assert found <= expected
    assert found.total() >= expected.total() - 2


@pytest.mark.parametrize("outer", TRANSFORMATIONS)
def test_compiled_program_equals_the_functional_one(model, outer):
    """After XLA has optimised, without the names of instructions."""
    found, expected = (
        sorted(re.findall(r" ([a-z][a-z-]*)\(", one.compile().as_text() or ""))
        for one in lowered(model, lift, outer, "scan")
    )
    assert len(expected) > 10
    assert found == expected


@pytest.mark.parametrize("outer", TRANSFORMATIONS)
def test_lift_jit_retraces_nothing_for_a_new_wrapper(model, outer):
    drafts = Drafts(lift)
    program = drafts.build(outer, "jit")
    draft = make(model, outer, "jit").draft()
    lift.jit(program)(draft, X)
    drafts.seen.clear()
    lift.jit(program)(draft, 2 * X)  # a new wrapper of the same function
    assert not drafts.seen


@pytest.mark.parametrize(("outer", "inner"), REPEATING)
def test_no_key_is_used_twice(model, outer, inner):
    """All keys from `next_key`, and those that remain in the field, are different."""
    given = []

    class Recording(Drafts):
        def step(self, draft, x):
            result = super().step(draft, x)
            key = draft.next_key()
            jax.debug.callback(lambda data: given.append(bytes(data)), jax.random.key_data(key))
            return result

    loop, _ = run(Recording(lift).build(outer, inner), make(model, outer, inner), X)
    jax.block_until_ready(loop.u)
    jax.effects_barrier()
    kept = [bytes(data) for data in leaves(loop.rng)[0].reshape(-1, 2)]
    every = [*set(given), *kept] if "checkpoint" in (outer, inner) else [*given, *kept]
    assert len(given) > 0
    assert len(set(every)) == len(every)
