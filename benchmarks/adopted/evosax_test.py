"""Take two steps with some algorithms of each family of evosax."""

from __future__ import annotations

import evosax.algorithms
import jax
import jax.numpy as jnp
import pytest

DISTRIBUTIONS = ("ARS", "CMA_ES", "SNES", "HillClimbing", "Open_ES", "PGPE", "SimpleES")
POPULATIONS = ("DifferentialEvolution", "PSO", "SimpleGA")
SOLUTION = {"w": jnp.ones((2, 3)), "b": jnp.zeros(3)}
SIZE = 4


@pytest.mark.parametrize("name", [*DISTRIBUTIONS, *POPULATIONS])
def test_two_steps(name: str) -> None:
    algorithm = evosax.algorithms.algorithms[name](population_size=SIZE, solution=SOLUTION)
    key = jax.random.key(0)
    params = algorithm.default_params
    if name in DISTRIBUTIONS:
        state = algorithm.init(key, SOLUTION, params)
    else:
        population = jax.tree.map(lambda leaf: jnp.stack([leaf] * SIZE), SOLUTION)
        state = algorithm.init(key, population, jnp.arange(SIZE, dtype=jnp.float32), params)
    for _ in range(2):
        population, state = algorithm.ask(key, state, params)
        fitness = jax.vmap(lambda one: (one["w"] ** 2).sum() + one["b"].sum())(population)
        state, _ = algorithm.tell(key, population, fitness, state, params)
    assert state.generation_counter == 2
    assert state.best_fitness <= fitness.max()
