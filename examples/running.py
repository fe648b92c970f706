"""A training loop with state: a counter, running statistics and noise, under jit and scan.

    python -m examples.running

The loop writes its state to a draft, like to a mutable object. The signatures contain
no state: neither statistics nor keys are passed by hand.
"""

import jax
import jax.numpy as jnp
from jax import Array

from codegen.runtime import lift
from generated.running import Regression, Statistics

WEIGHTS = jnp.array([3.0, -0.5, 0.02])
SCALES = jnp.array([1.0, 10.0, 100.0])  # standard deviations of the inputs
MEANS = jnp.array([5.0, -20.0, 300.0])


def make_data(samples: int) -> tuple[Array, Array]:
    """Inputs of very different sizes, (samples, 3), and outputs, (samples,)."""
    x = MEANS + SCALES * jax.random.normal(jax.random.key(1), (samples, 3))
    return x, x @ WEIGHTS + 1.0


def make_regression() -> Regression:
    """Create a regression that has seen no data."""
    zeros = jnp.zeros(3)
    seen = Statistics(mean=zeros, spread=zeros)
    return Regression(weights=zeros, inputs=seen, rng=jax.random.key(0))


def observe(seen: Statistics.Draft, x: Array) -> None:
    """Add a sample to the statistics.

    Source: B. P. Welford, Technometrics 4 (1962) 419.
    """
    seen.count += 1
    deviation = x - seen.mean
    seen.mean += deviation / seen.count
    seen.spread += deviation * (x - seen.mean)


def normalised(seen: Statistics.Draft, x: Array) -> Array:
    """Return x, normalised by the mean and variance of the samples so far."""
    deviation = jnp.sqrt(seen.spread / jnp.maximum(seen.count - 1, 1))
    return (x - seen.mean) / jnp.maximum(deviation, 1e-6)


def loss(w: tuple[Array, Array], draft: Regression.Draft, x: Array, y: Array) -> Array:
    """Return the squared error at one sample, after adding it to the statistics and adding noise."""
    weights, bias = w
    observe(draft.inputs, x)
    noise = draft.noise * jax.random.normal(draft.next_key(), x.shape)
    return (weights @ (normalised(draft.inputs, x) + noise) + bias - y) ** 2


def step(draft: Regression.Draft, sample: tuple[Array, Array]) -> Array:
    """Learn from one sample, and return the error before the update."""
    w = (draft.weights, draft.bias)
    value, (weights, bias) = lift.value_and_grad(loss)(w, draft, *sample)
    draft.weights -= draft.learning_rate * weights
    draft.bias -= draft.learning_rate * bias
    draft.steps += 1
    return value


def train_by_scan(regression: Regression, x: Array, y: Array) -> tuple[Regression, Array]:
    """Train in one compiled loop, and return the errors too."""
    draft = regression.draft()
    errors = lift.scan(step, draft, (x, y))
    return draft.freeze(), errors


def train_by_jit(regression: Regression, x: Array, y: Array) -> tuple[Regression, Array]:
    """Train with one call per step."""
    draft = regression.draft()
    errors = [lift.jit(step)(draft, sample) for sample in zip(x, y, strict=True)]
    return draft.freeze(), jnp.stack(errors)


def main() -> None:
    """Train both ways, and show that the results are equal."""
    x, y = make_data(400)
    trained, errors = train_by_scan(make_regression(), x, y)
    again, _ = train_by_jit(make_regression(), x, y)
    print(
        f"{trained.steps} steps; error {errors[:20].mean():.3g}, at last {errors[-20:].mean():.3g}"
    )
    print(f"mean of the inputs {trained.inputs.mean}, of the data {x.mean(axis=0)}")
    print(f"largest difference of jit: {jnp.abs(trained.weights - again.weights).max():.1g}")


if __name__ == "__main__":
    main()
