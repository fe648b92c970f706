"""Train a policy that keeps a pole upright on a cart.

    python -m examples.ppo
    python -m examples.ppo --rounds 20

All carts are one object with a leading axis. The dynamics and the agent are written for one cart,
and `jax.vmap` applies them to all.
"""

from argparse import ArgumentParser
from typing import Any

import jax

from examples.ppo_model import make_optimizer, start
from generated.ppo import Agent, Config, Training, improve

CONFIG = Config()
ROUNDS = 40


def make_training(config: Config = CONFIG, seed: int = 0) -> Training:
    """Create an untrained agent, and carts at the start of an episode."""
    agent_key, carts_key, rng = jax.random.split(jax.random.key(seed), 3)
    agent: Any = Agent.abstract(sensors=4, width=config.width, actions=2).init(agent_key)
    return Training(
        agent=agent,
        optimiser_state=make_optimizer(config).init(agent),
        carts=jax.vmap(start)(jax.random.split(carts_key, config.envs)),
        rng=rng,
        config=config,
    )


def train(training: Training, rounds: int = ROUNDS) -> tuple[Training, list[float]]:
    """Train; also return the mean number of steps of an episode in each round."""
    steps = []
    for _ in range(rounds):
        training, each = improve(training)
        steps.append(float(each))
    return training, steps


def main(arguments: list[str] | None = None) -> None:
    """Train, and print how long the pole stays upright."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"(default: {ROUNDS})")
    given = parser.parse_args(arguments)
    _, steps = train(make_training(), given.rounds)
    print("round  steps per episode")
    for number, each in enumerate(steps, 1):
        if number == 1 or number % 5 == 0:
            print(f"{number:5}  {each:17.1f}")


if __name__ == "__main__":
    main()
