"""The training for one and for several processes: a smaller version of `examples.digits`.

training = make_training(CONFIG)
training, metrics = train_step(training, make_batches()[0])
"""

import jax
import jax.numpy as jnp
import numpy as np

from examples.digits_model import initial_state
from generated.digits import Architecture, Batch, Config, Linear, Mlp, Optimiser, Training

STEPS = 20
CONFIG = Config(
    architecture=Architecture(pixels=16, hidden=8, classes=4),
    optimiser=Optimiser(learning_rate=1e-3, steps=STEPS),
    batch_size=16,
    epochs=1,
)


def make_training(config: Config = CONFIG) -> Training:
    """Create the same state in every process."""
    numbers = np.random.default_rng(0)
    sizes = config.architecture

    def linear(n_in: int, n_out: int) -> Linear:
        w = numbers.normal(scale=n_in**-0.5, size=(n_in, n_out))
        return Linear(w=jnp.asarray(w, jnp.float32), b=jnp.zeros(n_out, jnp.float32))

    model = Mlp(
        first=linear(sizes.pixels, sizes.hidden),
        middle=(linear(sizes.hidden, sizes.hidden),),
        last=linear(sizes.hidden, sizes.classes),
        activation=jnp.tanh,
    )
    state = initial_state(config.optimiser, model)
    return Training(model=model, optimiser_state=state, rng=jax.random.key(1), config=config)


def make_batches(count: int = 5, config: Config = CONFIG) -> list[Batch]:
    """Create batches of artificial images. The brightest pixel determines the label."""
    numbers = np.random.default_rng(0)
    sizes = config.architecture
    batches = []
    for _ in range(count):
        labels = numbers.integers(sizes.classes, size=config.batch_size).astype(np.int32)
        images = numbers.random((config.batch_size, sizes.pixels)).astype(np.float32)
        images[np.arange(config.batch_size), labels] += 2.0
        batches.append(Batch(images=jnp.asarray(images), labels=jnp.asarray(labels)))
    return batches
