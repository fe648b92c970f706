"""The velocity, its loss, a training step and the integration from noise to images.

Source: X. Liu, C. Gong and Q. Liu, Flow Straight and Fast, ICLR 2023.
"""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from generated import flow
from generated.flow import Batch, Block, Config, Images, Linear, Training, Velocity

CLASSES = 10


def affine(layer: Linear, x: Array) -> Array:
    """Apply an affine map to the last axis."""
    return x @ layer.w + layer.b


def normalised(x: Array) -> Array:
    """Scale the last axis to a mean square of one."""
    return x * jax.lax.rsqrt(jnp.mean(x**2, axis=-1, keepdims=True) + 1e-6)


def waves(t: Array, frequencies: int) -> Array:
    """Return sines and cosines of the times."""
    angles = t[:, None] * jnp.geomspace(1.0, 200.0, frequencies)
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


def velocity(model: Velocity, x: Array, t: Array, label: Array) -> Array:
    """Return the velocity of images x at times t."""
    time = affine(model.time, waves(t, model.time.w.shape[0] // 2))
    condition = jax.nn.silu(time + model.label[label])

    def apply(x: Array, block: Block) -> tuple[Array, None]:
        inner = affine(block.first, normalised(x)) + affine(block.condition, condition)
        return x + affine(block.second, jax.nn.silu(inner)), None

    blocks: Any = model.blocks
    x, _ = jax.lax.scan(apply, affine(model.image, x), blocks)
    return affine(model.last, normalised(x))


def loss(model: Velocity, batch: Batch) -> Array:
    """Return the mean squared error of the velocity."""
    t = batch.t[:, None]
    x = (1 - t) * batch.noise + t * batch.image
    return jnp.mean((model(x, batch.t, batch.label) - (batch.image - batch.noise)) ** 2)


def decays(model: Velocity) -> Velocity:
    """Return which arrays have weight decay."""
    return model.mask("decay")


def make_optimiser(config: Config) -> optax.GradientTransformation:
    """Build the optimiser."""
    of = config.optimiser
    rate = optax.warmup_cosine_decay_schedule(0.0, of.peak, of.warmup, of.steps)
    mask: Any = decays
    adam = optax.adamw(rate, weight_decay=of.weight_decay, mask=mask)
    return optax.chain(optax.clip_by_global_norm(1.0), adam)


def make_training(config: Config, pixels: int = 64) -> Training:
    """Create the state before the first step."""
    rng, init = jax.random.split(jax.random.key(config.seed))
    sizes = config.architecture
    model: Any = Velocity.abstract(
        pixels=pixels,
        hidden=sizes.hidden,
        frequencies=sizes.frequencies,
        classes=CLASSES,
        layers=sizes.layers,
    ).init(init)
    return Training(
        model=model,
        average=jax.tree.map(jnp.copy, model),  # Each call donates both, so they are two arrays.
        optimiser_state=make_optimiser(config).init(model),
        rng=rng,
        config=config,
    )


def draw(images: Images, config: Config, rng: Array) -> Batch:
    """Draw images, noise and times, and hide some labels."""
    which, noise, time, hide = jax.random.split(rng, 4)
    chosen = jax.random.randint(which, (config.batch,), 0, len(images.label))
    image = images.x[chosen]
    hidden = jax.random.bernoulli(hide, config.unlabelled, chosen.shape)
    return Batch(
        noise=jax.random.normal(noise, image.shape),
        image=image,
        t=jax.random.uniform(time, chosen.shape),
        label=jnp.where(hidden, CLASSES, images.label[chosen]),
    )


def train_step(training: Training, _: None, images: Images) -> tuple[Training, Array]:
    """Take one step."""
    config, weights = training.config, training.model
    rng, key = jax.random.split(training.rng)
    # Under a mesh, `flow.loss` divides the batch among the devices, as the schema says.
    value, gradient = jax.value_and_grad(flow.loss)(weights, draw(images, config, key))
    # The annotations of optax allow only built-in containers.
    model: Any = weights
    average: Any = training.average
    updates, state = make_optimiser(config).update(gradient, training.optimiser_state, model)
    model = optax.apply_updates(model, updates)
    average = optax.incremental_update(model, average, 1 - config.decay)
    step = training.step + 1
    new = training.replace(model=model, average=average, optimiser_state=state, rng=rng, step=step)
    return new, value


def train(training: Training, images: Images, steps: int) -> tuple[Training, Array]:
    """Take some steps. Return the new state, and the loss before each step."""
    return jax.lax.scan(partial(train_step, images=images), training, length=steps)


def sample(model: Velocity, label: Array, rng: Array, guidance: Array, steps: int) -> Array:
    """Follow the velocity from noise to images, by Heun's method."""
    unlabelled = jnp.full_like(label, CLASSES)

    def guided(x: Array, time: Array) -> Array:
        t = jnp.full(label.shape, time)
        free = model(x, t, unlabelled)
        return free + guidance * (model(x, t, label) - free)

    def advance(x: Array, time: Array) -> tuple[Array, None]:
        first = guided(x, time)
        second = guided(x + first / steps, time + 1 / steps)
        return x + (first + second) / (2 * steps), None

    noise = jax.random.normal(rng, (len(label), len(model.last.b)))
    return jax.lax.scan(advance, noise, jnp.arange(steps) / steps)[0]
