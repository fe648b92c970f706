"""Measure the import time of a generated module beyond `import jax`, and where the time goes.

    $ python -m benchmarks.imports
    one class, two fields     18.2 ms above `import jax`, 17 files of the support package
    schemas/heat.pyi          38.5 ms above `import jax`, 36 files of the support package

Times are from `python -X importtime` in a separate process, and minima over several runs.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import synthetic

CHECKOUT = Path(__file__).parents[1]
SMALL = '''from codegen.schema import dynamic, f32, static

class Particle:
    """A position and how many there are."""

    x: dynamic[f32[...]]
    n: static[int]
'''
MOST_SECONDS = 0.05
_LINE = re.compile(r"import time:\s*\d+ \|\s*(\d+) \|( *)(\S+)")


def measure(schemas: dict[str, str], module: str, repeats: int) -> tuple[float, int]:
    """Return the minimum import time of a module after jax, and the number of support files.

    Args:
        schemas: the contents of the schema files, by name.
        module: the module to import.
        repeats: the number of runs.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, text in schemas.items():
            path = Path(folder, "schemas", f"{name}.pyi")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        environment = synthetic.with_bytecode(os.environ, f"{folder}/bytecode") | {
            "PYTHONPATH": f"{folder}{os.pathsep}{CHECKOUT}",
            "XDG_CACHE_HOME": f"{folder}/cache",
            "JAX_PLATFORMS": "cpu",
        }
        build = [sys.executable, "-m", "codegen", "-q", "build"]
        subprocess.run(build, cwd=folder, env=environment, check=True)
        found = min(_seconds(module, folder, environment) for _ in range(repeats))
        files = len([*Path(folder, "generated", "_runtime").rglob("*.py")])
    return found, files


def _seconds(module: str, folder: str, environment: dict[str, str]) -> float:
    code = f"import jax, jax.numpy, numpy, jaxtyping\nimport generated.{module}"
    command = [sys.executable, "-X", "importtime", "-c", code]
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, text=True, stderr=subprocess.PIPE
    )
    lines = map(_LINE.match, done.stderr.splitlines())
    own = [line for line in lines if line and line[3] == f"generated.{module}"]
    return int(own[-1][1]) / 1e6


def main() -> None:
    """Measure and print; the exit status is 1 if the small module takes too long."""
    parser = argparse.ArgumentParser(description="Measure what importing generated code takes.")
    parser.add_argument("--repeats", type=int, default=10)
    repeats = parser.parse_args().repeats
    schemas = {path.stem: path.read_text() for path in (CHECKOUT / "schemas").glob("*.pyi")}
    small, files = measure({"small": SMALL}, "small", repeats)
    heat, heat_files = measure({k: schemas[k] for k in ("heat", "materials")}, "heat", repeats)
    for name, seconds, count in (
        ("one class, two fields", small, files),
        ("schemas/heat.pyi", heat, heat_files),
    ):
        told = f"{seconds * 1e3:6.1f} ms above `import jax`"
        print(f"{name:<22} {told}, {count} files of the support package")
    raise SystemExit(1 if small > MOST_SECONDS else 0)


if __name__ == "__main__":
    main()
