"""Measure how the training of the digits scales over devices: speed, memory and communication.

    $ python -m benchmarks.scaling
    data parallel: a batch of 256 images is shared by all devices
      devices  steps/s speed-up  state/device   step/device collectives least     bytes     least ratio
            1      295     1.00     1,020,040     3,018,504           0     0         0         0  1.00
            8      111     0.38     1,020,040     1,709,192           1     1   340,016   340,016  1.00
    hidden units sharded: every device has a part of the layers
            8      120     0.38       127,624       884,296           3     3   534,528   534,528  1.00
    $ python -m benchmarks.scaling --gpu      # the peak memory of other ways to donate

The devices are simulated on the cores of this machine. Speed-ups therefore show the cost of communication, not the
gain from more hardware: eight devices on two cores cannot be faster than two. The communication is counted in the
compiled program, and compared with the minimum that the sharding needs:

- data parallel: every gradient once, and the two metrics;
- hidden units sharded: each product over the hidden units is a sum over devices, (batch, hidden)
  once for each middle layer and (batch, classes) for the last; backwards, the cotangent of each
  middle layer is gathered, (batch, hidden).
"""

from __future__ import annotations

import argparse
import itertools
from time import perf_counter
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh

from benchmarks import donated_memory
from benchmarks.collectives import Traffic, collectives, total
from examples.digits_model import initial_state
from generated.digits import (
    Architecture,
    Batch,
    Config,
    Linear,
    Mlp,
    Optimiser,
    Training,
    train_step,
)

DEVICES = (1, 2, 4, 8)
FLOAT = 4  # bytes
METRICS = 2


class Measured(NamedTuple):
    """One row of the table."""

    devices: int
    steps_per_second: float
    state: int  # bytes of the training state on one device
    program: int  # bytes on one device while a step runs
    traffic: Traffic
    least: Traffic


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description="Measure training on several devices.")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=60, help="timed steps of a run")
    parser.add_argument("--runs", type=int, default=3, help="runs, of which the fastest counts")
    parser.add_argument("--gpu", action="store_true", help="measure peak memory on a GPU instead")
    options = parser.parse_args()
    if options.gpu:
        donated_memory.main()
        return
    # Set the number of devices before the first computation. It cannot be changed later.
    jax.config.update("jax_num_cpu_devices", max(DEVICES))  # type: ignore[no-untyped-call]
    architecture = Architecture(hidden=options.hidden)
    config = Config(architecture=architecture, optimiser=Optimiser(), batch_size=options.batch)
    titles = {
        "data": f"data parallel: a batch of {options.batch} images is shared by all devices",
        "model": "hidden units sharded: every device has a part of the layers",
    }
    for axis, title in titles.items():
        rows = [measure(config, axis, count, options.steps, options.runs) for count in DEVICES]
        print(title)
        print(*_table(rows), sep="\n")


def measure(config: Config, axis: str, devices: int, steps: int, runs: int) -> Measured:
    """Train on this many devices along one axis of the mesh."""
    mesh = make_mesh(axis, devices)
    with jax.set_mesh(mesh):
        training, batch = placed(config, mesh)
        state = sum(leaf.addressable_data(0).nbytes for leaf in _arrays(training))
        compiled = train_step.lower(training, batch).compile()
        seconds = _fastest(training, batch, steps, runs)
    memory: Any = compiled.memory_analysis()
    program = (
        memory.argument_size_in_bytes
        + memory.output_size_in_bytes
        + memory.temp_size_in_bytes
        - memory.alias_size_in_bytes
    )
    least = least_traffic(config, axis, devices)
    return Measured(devices, steps / seconds, state, program, total(collectives(compiled)), least)


def make_mesh(axis: str, devices: int) -> Mesh:
    """Create a mesh of the first devices along one of its axes."""
    shape = (devices, 1) if axis == "data" else (1, devices)
    names, kinds = ("data", "model"), (AxisType.Auto, AxisType.Auto)
    return jax.make_mesh(shape, names, kinds, devices=jax.devices()[:devices])


def placed(config: Config, mesh: Mesh) -> tuple[Training, Batch]:
    """Create a state and a batch, sharded as their schema declares."""
    training, batch = make_training(config), make_batch(config)
    return (
        jax.device_put(training, training.shardings(mesh)),
        jax.device_put(batch, batch.shardings(mesh)),
    )


def least_traffic(config: Config, axis: str, devices: int) -> Traffic:
    """Return the minimum bytes that a step must bring to each device, and the number of collectives."""
    if devices == 1:
        return Traffic(0, 0)
    sizes = config.architecture
    widths = [sizes.pixels, *[sizes.hidden] * (1 + sizes.middle_layers), sizes.classes]
    if axis == "data":
        weights = sum((n_in + 1) * n_out for n_in, n_out in itertools.pairwise(widths))
        return Traffic(1, FLOAT * (weights + METRICS))
    sums = config.batch_size * (sizes.middle_layers * sizes.hidden + sizes.classes)
    gathered = config.batch_size * sizes.middle_layers * sizes.hidden
    return Traffic(1 + 2 * sizes.middle_layers, FLOAT * (sums + gathered))


def _fastest(training: Training, batch: Batch, steps: int, runs: int) -> float:
    """Return the minimum seconds of this many steps."""
    times = []
    for _ in range(1 + runs):
        started = perf_counter()
        for _ in range(steps):
            training, metrics = train_step(training, batch)
            # Without this, collectives of several steps can wait for each other's threads. On jax
            # 0.10, with more devices than cores, this is a deadlock.
            metrics.loss.block_until_ready()
        times.append(perf_counter() - started)
    # The first run compiles.
    return min(times[1:])


def make_training(config: Config) -> Training:
    """Create a state before the first step, without the data set of `examples.digits`."""
    numbers = np.random.default_rng(0)
    sizes = config.architecture

    def linear(n_in: int, n_out: int) -> Linear:
        w = numbers.normal(scale=n_in**-0.5, size=(n_in, n_out))
        return Linear(w=jnp.asarray(w, jnp.float32), b=jnp.zeros(n_out, jnp.float32))

    model = Mlp(
        first=linear(sizes.pixels, sizes.hidden),
        middle=tuple(linear(sizes.hidden, sizes.hidden) for _ in range(sizes.middle_layers)),
        last=linear(sizes.hidden, sizes.classes),
        activation=jax.nn.gelu,
    )
    state = initial_state(config.optimiser, model)
    return Training(model=model, optimiser_state=state, rng=jax.random.key(0), config=config)


def make_batch(config: Config) -> Batch:
    """Create a batch of noise."""
    numbers = np.random.default_rng(1)
    shape = (config.batch_size, config.architecture.pixels)
    labels = numbers.integers(config.architecture.classes, size=config.batch_size)
    return Batch(
        images=jnp.asarray(numbers.random(shape), jnp.float32),
        labels=jnp.asarray(labels, jnp.int32),
    )


def _arrays(training: Training) -> list[Any]:
    leaves = jax.tree.leaves(training)
    return [
        jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x
        for x in leaves
    ]


def _table(rows: list[Measured]) -> list[str]:
    head = (
        f"  {'devices':>7} {'steps/s':>8} {'speed-up':>8} {'state/device':>13} "
        f"{'step/device':>13} {'collectives':>11} {'least':>5} {'bytes':>9} {'least':>9} {'ratio':>5}"
    )
    lines = [head]
    for row in rows:
        ratio = row.traffic.bytes / row.least.bytes if row.least.bytes else 1.0
        lines.append(
            f"  {row.devices:7} {row.steps_per_second:8.0f} "
            f"{row.steps_per_second / rows[0].steps_per_second:8.2f} "
            f"{row.state:13,} {row.program:13,} {row.traffic.collectives:11} {row.least.collectives:5} "
            f"{row.traffic.bytes:9,} {row.least.bytes:9,} {ratio:5.2f}"
        )
    return lines


if __name__ == "__main__":
    main()
