"""Kill the training of the examples at random moments, and compare the final states.

    $ python -m benchmarks.killed
    | example | killed | while it saved | in the end |
    |---|---|---|---|
    | digits | 20 times | ... | the same bits |
    | transformer | 20 times | ... | the same bits |

Each run continues from the last complete checkpoint, until a SIGKILL ends it. The last run is not killed. Its final
state is compared bit for bit with that of an uninterrupted run: all arrays, random keys and static values. `--write`
writes the part of docs/benchmarks/saving.md for the installed minor version of JAX.
"""

import argparse
import platform
import random
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax
import numpy as np
import tomlkit

from benchmarks import pages
from codegen.runtime.checkpoint import pack, to_dict
from examples import digits, transformer
from generated.digits import Architecture
from generated.digits import Config as DigitsConfig
from generated.transformer import Config as TransformerConfig

EXAMPLES: dict[str, Any] = {"digits": digits, "transformer": transformer}
SECONDS_MAX = 1.0  # from the first save of a run to the end of the run


def configured(name: str, times: int) -> DigitsConfig | TransformerConfig:
    """Configure a small model, with more saves than the killed runs can reach."""
    if name == "digits":
        return DigitsConfig(architecture=Architecture(hidden=16), epochs=20 * times)
    return TransformerConfig(layers=1, steps=10 * times * transformer.BETWEEN_SAVES)


def start(name: str, file: Path, folder: Path) -> subprocess.Popen[bytes]:
    """Start the training, from the last complete checkpoint if there is one."""
    command = [sys.executable, "-m", f"examples.{name}", f"--config={file}", f"--save={folder}"]
    if any(path.name.isdecimal() for path in folder.glob("*")):
        command.append(f"--restore={folder}")
    return subprocess.Popen(command, cwd=pages.CHECKOUT, stdout=subprocess.DEVNULL)


def killed(name: str, file: Path, folder: Path, times: int) -> int:
    """Train in processes that are killed, then in one that is not; return how many were killed while saving."""
    chance, saving = random.Random(0), 0  # noqa: S311  Any moment will do.
    for _ in range(times):
        before = {*folder.glob("*")}
        process = start(name, file, folder)
        while process.poll() is None and {*folder.glob("*")} <= before:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, SECONDS_MAX))
        process.kill()
        assert process.wait() < 0, "it ended by itself"
        newest = max(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        saving += not newest.name.isdecimal()
    EXAMPLES[name].main([f"--config={file}", f"--save={folder}", f"--restore={folder}"])
    return saving


def bits(state: Any) -> tuple[str, dict[str, bytes]]:
    """Return all arrays, keys and static values of a state as bytes."""
    packed = pack(state)
    return packed.about, {path: np.asarray(one).tobytes() for path, one in packed.arrays.items()}


def require_same(name: str, times: int, folder: Path) -> int:
    """Compare with an uninterrupted run; return how many runs were killed while saving."""
    example, config, file = EXAMPLES[name], configured(name, times), folder / "config.toml"
    file.write_text(tomlkit.dumps(to_dict(config)), encoding="utf-8")
    saving = killed(name, file, folder / "killed", times)
    example.main([f"--config={file}", f"--save={folder / 'alone'}"])
    resumed, last = example.saved(folder / "killed")
    alone, end = example.saved(folder / "alone")
    assert (resumed.config, last) == (alone.config, end) == (config, end)
    assert bits(resumed) == bits(alone), f"{name} has learnt something else"
    return saving


def main() -> None:
    """Kill each example this often, and print the result."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/saving.md")
    options = parser.parse_args()
    lines = ["| example | killed | while it saved | in the end |", "|---|---|---|---|"]
    for name in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            saving = require_same(name, options.times, Path(folder))
        lines.append(f"| {name} | {options.times} times | {saving} times | the same bits |")
    text = "\n".join(lines)
    print(text)
    if options.write:
        made = f"With jax {jax.__version__}, orbax {version('orbax-checkpoint')}, CPython "
        made += f"{platform.python_version()}:"
        part = pages.part_of_this_jax("benchmarks.killed")
        pages.write("docs/benchmarks/saving.md", part, f"{made}\n\n{text}")


if __name__ == "__main__":
    main()
