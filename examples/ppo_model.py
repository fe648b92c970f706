"""The implementation of `schemas/ppo.pyi`: the cart, the agent and one round of training.

training, steps = ppo.improve(training)

Source: J. Schulman et al., Proximal Policy Optimization Algorithms (2017), arXiv:1707.06347.
"""

from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from generated.ppo import Agent, CartPole, Config, Layer, Move, Training

FORCE = 10.0  # [N]
LONGEST = 500  # steps of an episode


def push(cart: CartPole, force: Array) -> CartPole:
    """Advance by one Euler step of 0.02 s.

    Source: A. G. Barto, R. S. Sutton and C. W. Anderson, IEEE Transactions on Systems, Man, and
    Cybernetics 13 (1983) 834; here without friction.
    """
    dt, gravity, pole_mass, mass, half_length = 0.02, 9.8, 0.1, 1.1, 0.5
    sine, cosine = jnp.sin(cart.angle), jnp.cos(cart.angle)
    common = (force + pole_mass * half_length * cart.spin**2 * sine) / mass
    inertia = half_length * (4.0 / 3.0 - pole_mass * cosine**2 / mass)
    turn = (gravity * sine - cosine * common) / inertia
    acceleration = common - pole_mass * half_length * turn * cosine / mass
    return CartPole(
        x=cart.x + dt * cart.speed,
        speed=cart.speed + dt * acceleration,
        angle=cart.angle + dt * cart.spin,
        spin=cart.spin + dt * turn,
        age=cart.age + 1,
    )


def senses(cart: CartPole) -> Array:
    """Return place, speed, angle and spin."""
    return jnp.stack([cart.x, cart.speed, cart.angle, cart.spin])


def has_ended(cart: CartPole) -> Array:
    """Test the limits: 2.4 m from the centre, 12 degrees, and the longest time."""
    is_out = (jnp.abs(cart.x) > 2.4) | (jnp.abs(cart.angle) > jnp.deg2rad(12.0))
    return is_out | (cart.age >= LONGEST)


def start(rng: Array) -> CartPole:
    """Create a cart that is nearly at rest, with a pole that is nearly upright."""
    x, speed, angle, spin = jax.random.uniform(rng, (4,), minval=-0.05, maxval=0.05)
    return CartPole(x=x, speed=speed, angle=angle, spin=spin)


def apply(layer: Layer, x: Array) -> Array:
    """Compute the layer's output: (..., n_in) to (..., n_out)."""
    return jnp.tanh(x @ layer.w + layer.b)


def judge(agent: Agent, seen: Array) -> tuple[Array, Array]:
    """Compute scores of the actions and the return: (..., sensors) to (..., actions) and (...)."""
    x = agent.second.apply(agent.first.apply(seen))
    return x @ agent.policy, x @ agent.value


def make_optimizer(config: Config) -> optax.GradientTransformation:
    """Create Adam with gradients of limited norm."""
    return optax.chain(optax.clip_by_global_norm(0.5), optax.adam(config.learning_rate))


def move(agent: Agent, cart: CartPole, rng: Array) -> tuple[CartPole, Move]:
    """Draw an action for one cart, and push it. A cart whose episode ended starts again."""
    choice, restart = jax.random.split(rng)
    seen = cart.senses()
    scores, value = agent.judge(seen)
    action = jax.random.categorical(choice, scores)
    cart = cart.push(FORCE * (2 * action - 1))
    ended = cart.has_ended()
    one = Move(seen, action, jax.nn.log_softmax(scores)[action], value, cart.age, ended)
    return jax.tree.map(lambda new, old: jnp.where(ended, new, old), start(restart), cart), one


def advantages(moves: Move, last: Array, config: Config) -> Array:
    """Compute how much better each action was than estimated: (steps, envs).

    A step is worth 1 - discount, so that returns are at most 1.

    Source: J. Schulman et al., High-Dimensional Continuous Control Using Generalized Advantage
    Estimation, ICLR 2016.
    """

    def back(carry: tuple[Array, Array], one: Move) -> tuple[tuple[Array, Array], Array]:
        later, following = carry
        goes_on = config.discount * (1.0 - one.ended)
        error = 1.0 - config.discount + goes_on * following - one.value
        gain = error + config.trace * goes_on * later
        return (gain, one.value), gain

    return jax.lax.scan(back, (jnp.zeros_like(last), last), moves, reverse=True)[1]


def loss(agent: Agent, moves: Move, gains: Array, config: Config) -> Array:
    """Return the clipped objective, plus the error of the estimates, minus the entropy."""
    scores, values = agent.judge(moves.seen)
    logs = jax.nn.log_softmax(scores)
    taken = jnp.take_along_axis(logs, moves.action[:, None], axis=1)[:, 0]
    ratio = jnp.exp(taken - moves.log_probability)
    scaled = (gains - gains.mean()) / (gains.std() + 1e-6)
    limited = jnp.clip(ratio, 1.0 - config.clip, 1.0 + config.clip)
    gained = jnp.minimum(ratio * scaled, limited * scaled).mean()
    error = jnp.mean((values - moves.value - gains) ** 2)
    entropy = -jnp.sum(jnp.exp(logs) * logs, axis=1).mean()
    return 0.5 * error - gained - config.entropy * entropy


def improve(training: Training) -> tuple[Training, Array]:
    """Play one round with all carts, then take gradient steps on its moves."""
    config, agent = training.config, training.agent
    rng, playing, shuffling = jax.random.split(training.rng, 3)

    def play(carts: CartPole, rng: Array) -> tuple[CartPole, Move]:
        return jax.vmap(move, (None, 0, 0))(agent, carts, jax.random.split(rng, config.envs))

    def learn(state: Any, chosen: Array) -> tuple[Any, None]:
        agent, optimiser_state = state
        one, gain = jax.tree.map(lambda x: x[chosen], (samples, gains))
        gradient = jax.grad(loss)(agent, one, gain, config)
        updates, optimiser_state = optimizer.update(gradient, optimiser_state, agent)
        return (optax.apply_updates(agent, updates), optimiser_state), None

    optimizer, count = make_optimizer(config), config.steps * config.envs
    carts, moves = jax.lax.scan(play, training.carts, jax.random.split(playing, config.steps))
    _, last = agent.judge(jax.vmap(CartPole.senses)(carts))
    played = (moves, advantages(moves, last, config))
    samples, gains = jax.tree.map(lambda x: x.reshape(count, *x.shape[2:]), played)
    orders = jax.vmap(lambda key: jax.random.permutation(key, count))(
        jax.random.split(shuffling, config.epochs)
    )
    state: Any = (agent, training.optimiser_state)
    (agent, optimiser_state), _ = jax.lax.scan(
        learn, state, orders.reshape(config.epochs * config.batches, -1)
    )
    new = training.replace(agent=agent, optimiser_state=optimiser_state, carts=carts, rng=rng)
    return new, jnp.mean(moves.age, where=moves.ended)
