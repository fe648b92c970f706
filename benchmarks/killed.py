"""Kill the digits example at random moments, and compare what it learnt in the end.

    $ python -m benchmarks.killed 20
    killed 20 times, after epochs [1, 3, 3, ...]: the same numbers as without

Each run goes on from what the one before has saved whole.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jax
import numpy as np

from examples import digits
from generated._runtime.checkpoint import to_dict
from generated.digits import Architecture, Config


def as_toml(config: Config) -> str:
    """A configuration as a file of TOML."""
    data = to_dict(config)
    lines = [f"{name} = {value!r}" for name, value in data.items() if not isinstance(value, dict)]
    for name, table in data.items():
        if isinstance(table, dict):
            lines += [f"[{name}]", *(f"{key} = {value!r}" for key, value in table.items())]
    return "\n".join(lines)


def killed(config: Config, folder: Path, times: int, seed: int = 0) -> list[int]:
    """Train in processes that are killed, and in one that is not; the epochs behind each."""
    file, saved = folder / "config.toml", folder / "saved"
    file.write_text(as_toml(config), encoding="utf-8")
    chance = random.Random(seed)  # noqa: S311  Any moment will do.
    found: list[int] = []
    for turn in range(times + 1):
        command = [sys.executable, "-m", "examples.digits", "--config", str(file)]
        command += ["--save", str(saved)] + ["--restore", str(saved)] * bool(found and found[-1])
        process = subprocess.Popen(command, env=os.environ | {"JAX_PLATFORMS": "cpu"})
        if turn == times:
            assert process.wait() == 0
        before = len([*saved.glob("*")])
        while process.poll() is None and len([*saved.glob("*")]) == before:
            time.sleep(0.01)  # until something is written, whole or not
        time.sleep(chance.random() / 20)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found.append(max((int(p.name) for p in saved.glob("*") if p.name.isdecimal()), default=0))
    return found


def require_same(config: Config, folder: Path) -> None:
    """Compare what is saved with an uninterrupted run, bit for bit."""
    alone = digits.train(digits.load(), config).training
    training, epochs = digits.saved(folder / "saved")
    assert epochs == config.epochs
    assert training.config is config
    for one, other in zip(jax.tree.leaves(training), jax.tree.leaves(alone), strict=True):
        if not jax.numpy.issubdtype(one.dtype, jax.dtypes.prng_key):
            np.testing.assert_array_equal(one, other)


def main() -> None:
    """Kill as many times as the argument says."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    config = Config(architecture=Architecture(hidden=16), epochs=times + 2)
    with tempfile.TemporaryDirectory() as folder:
        epochs = killed(config, Path(folder), times)
        require_same(config, Path(folder))
    print(f"killed {times} times, after epochs {epochs[:-1]}: the same numbers as without")


if __name__ == "__main__":
    main()
