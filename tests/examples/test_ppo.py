"""Test the cart of `examples.ppo`, and that its agent learns."""

import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import ConsumedError, max_traces
from examples import ppo
from examples.ppo_model import LONGEST, advantages
from generated.ppo import CartPole, Config, Move, improve


def test_agent_learns() -> None:
    config = Config(envs=16, steps=64, width=16, learning_rate=3e-3)
    first = ppo.make_training(config)
    with max_traces(1, improve):
        training, steps = ppo.train(first, 12)
    assert steps[0] < 25
    assert np.mean(steps[-3:]) > 80
    assert training.carts.x.shape == (16,)
    with pytest.raises(ConsumedError, match="improve"):
        jnp.sum(first.carts.x)
    with pytest.raises(SystemExit):
        ppo.main(["--rounds", "none"])


def test_pole_falls_as_the_linear_equation() -> None:
    # Euler steps multiply this solution by 1 + rate * dt.
    rate, angle = np.sqrt(9.8 / (0.5 * (4 / 3 - 0.1 / 1.1))), 1e-3
    cart = CartPole(angle=angle, spin=rate * angle)
    for _ in range(25):
        cart = cart.push(jnp.zeros(()))
    assert float(cart.angle) == pytest.approx(angle * (1 + 0.02 * rate) ** 25, rel=1e-2)
    # The pole pushes the cart to the other side.
    assert float(cart.x) < 0
    assert not cart.has_ended()
    for out in (cart.replace(x=2.5), cart.replace(angle=-0.21), cart.replace(age=LONGEST)):
        assert out.has_ended()


def test_advantages_are_sums_of_discounted_errors() -> None:
    config, rng = Config(discount=0.9, trace=0.8), np.random.default_rng(0)
    values, ended = rng.random((6, 2), np.float32), rng.random((6, 2)) < 0.3
    zeros = jnp.zeros((6, 2))
    moves = Move(
        seen=jnp.zeros((6, 2, 4)),
        action=jnp.zeros((6, 2), int),
        log_probability=zeros,
        value=values,
        age=jnp.ones((6, 2), int),
        ended=ended,
    )
    assert ended.any()
    expected = np.zeros((7, 2))
    following = np.concatenate([values, np.full((1, 2), 0.5)])
    for step in reversed(range(6)):
        goes_on = 0.9 * ~ended[step]
        error = 0.1 + goes_on * following[step + 1] - values[step]
        expected[step] = error + 0.8 * goes_on * expected[step + 1]
    gains = advantages(moves, jnp.full(2, 0.5), config)
    np.testing.assert_allclose(gains, expected[:6], rtol=1e-5)
