# mypy: disable-error-code="no-untyped-def, no-any-return"
"""Libraries for plain JAX pytrees see each shared part once."""

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint
import pytest


def is_shared(made):
    return made.table is made.encoder.table is made.decoder.table


def loss(made):
    uses = made.encoder.table.rows * made.decoder.table.rows + made.table.rows
    return (uses + made.encoder.bias**2).sum()


def mask(made):
    return jax.tree.map(lambda leaf: leaf.ndim > 0, made)


def labels(made):
    return jax.tree.map(lambda leaf: "rows" if leaf.ndim else "bias", made)


@pytest.mark.parametrize(
    ("make", "moments"),
    [
        (lambda _: optax.adam(0.1), 3),
        (lambda _: optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(0.1)), 3),
        (lambda _: optax.masked(optax.adam(0.1), mask), 1),
        (
            lambda _: optax.multi_transform(
                {"rows": optax.adam(0.1), "bias": optax.set_to_zero()}, labels
            ),
            1,
        ),
        (
            lambda _: optax.multi_transform(
                {"rows": optax.adamw(0.1), "bias": optax.sgd(0.1)}, labels
            ),
            1,
        ),
    ],
)
def test_optax_state_has_one_moment_per_parameter(made, make, moments):
    optimiser = make(made)
    state = optimiser.init(made)
    arrays = [leaf for leaf in jax.tree.leaves(state) if jnp.shape(leaf) == (3,)]
    # Adam has two moments of the rows. All others belong to biases.
    assert len(arrays) == 2
    floating = [leaf for leaf in jax.tree.leaves(state) if leaf.dtype == jnp.float32]
    assert len(floating) == 2 * moments

    @jax.jit
    def step(m, state):
        updates, state = optimiser.update(jax.grad(loss)(m), state, m)
        assert is_shared(updates)
        return optax.apply_updates(m, updates), state

    trained = made
    for _ in range(3):
        trained, state = step(trained, state)
        assert is_shared(trained)


@pytest.mark.parametrize("name", ["model", "pair"])
def test_orbax_stores_it_once_and_restores_it_shared(tmp_path, model, made, name):
    u = jnp.arange(4.0)
    saved = made if name == "model" else model.Pair(u, model.Cell(u))
    with orbax.checkpoint.StandardCheckpointer() as checkpointer:
        checkpointer.save(tmp_path / "saved", saved)
        checkpointer.wait_until_finished()
        stored = checkpointer.restore(tmp_path / "saved")
        abstract = jax.eval_shape(lambda m: m, saved)
        restored = checkpointer.restore(tmp_path / "saved", abstract)
    # Without a target, it is restored as a dict without the shared paths.
    assert len(jax.tree.leaves(stored)) == len(jax.tree.leaves(saved))
    assert restored == saved
    assert is_shared(restored) if name == "model" else restored.u is restored.cell.u
