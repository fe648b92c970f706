"""Measure the import time of a generated module beyond `import jax, jaxtyping`, compared with other libraries.

    $ python -m benchmarks.imports
    one class, two fields    15.0 ms above `import jax, jaxtyping`, 16 modules of the run time
    schemas/heat.pyi         14.4 ms above `import jax, jaxtyping`, 22 modules of the run time, at most 60 ms

    | | import [ms] |
    |---|---|
    | codegen | 18 |
    ...

The first two times are from `python -X importtime`. Each time is the minimum of several separate processes. The
comparison needs the packages of the extra `benchmarks`. `--write` writes its table to `docs/benchmarks/builds.md`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import pages, synthetic
from benchmarks.peers import report
from benchmarks.peers.define import module_of
from benchmarks.peers.libraries import LIBRARIES, Library, Spec
from benchmarks.peers.rows import STATICS, names

CHECKOUT = Path(__file__).parents[1]
SMALL = '''from codegen.schema import dynamic, f32, static

class Particle:
    """A position and how many there are."""

    x: dynamic[f32[...]]
    n: static[int]
'''
MOST_SECONDS = 0.06
CLASSES = 10
_TIMED = """
import sys, time
import jax, jax.numpy, numpy, jaxtyping
sys.path.insert(0, {folder!r})
started = time.perf_counter()
import {module}
print(time.perf_counter() - started)
"""
_LINE = re.compile(r"import time:\s*\d+ \|\s*(\d+) \|( *)(\S+)")


def measure(schemas: dict[str, str], module: str, repeats: int) -> tuple[float, int]:
    """Return the minimum import time of a module after jax, and the number of modules of the run time.

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
        return min(_import(module, folder, environment) for _ in range(repeats))


def _import(module: str, folder: str, environment: dict[str, str]) -> tuple[float, int]:
    code = f"import jax, jax.numpy, numpy, jaxtyping\nimport generated.{module}"
    command = [sys.executable, "-X", "importtime", "-c", code]
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, text=True, stderr=subprocess.PIPE
    )
    lines = [line for line in map(_LINE.match, done.stderr.splitlines()) if line]
    own = [line for line in lines if line[3] == f"generated.{module}"]
    parts = [line for line in lines if line[3].startswith("codegen.runtime")]
    return int(own[-1][1]) / 1e6, len(parts)


def compare(repeats: int) -> dict[str, float]:
    """Return the minimum seconds that the import of ten classes takes after jax, for each library."""
    modules = {library.name: _module(library) for library in LIBRARIES}
    best = dict.fromkeys(modules, float("inf"))
    with tempfile.TemporaryDirectory() as bytecode:
        environment = synthetic.with_bytecode(os.environ, bytecode) | {
            "PYTHONPATH": str(CHECKOUT),
            "JAX_PLATFORMS": "cpu",
        }
        # The first run writes the bytecode.
        for _ in range(repeats + 1):
            for name, (folder, module) in modules.items():
                code = _TIMED.format(folder=folder, module=module)
                command = [sys.executable, "-W", "ignore", "-c", code]
                done = subprocess.run(
                    command, env=environment, check=True, text=True, stdout=subprocess.PIPE
                )
                best[name] = min(best[name], float(done.stdout))
    return best


def _module(library: Library) -> tuple[str, str]:
    statics = STATICS if library.has_statics else ()
    specs = [Spec(f"State{number}", names(10), statics) for number in range(CLASSES)]
    module = module_of(library, specs)
    return sys.path[0], module


def table(seconds: dict[str, float]) -> str:
    """Format the comparison in Markdown."""
    cells = {name: f"{best * 1e3:.0f}" for name, best in seconds.items()}
    return report.markdown_table({"import [ms]": cells})


def main() -> None:
    """Measure and print; the exit status is 1 if the module of the example takes too long."""
    parser = argparse.ArgumentParser(description="Measure what importing generated code takes.")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/builds.md")
    options = parser.parse_args()
    repeats = options.repeats
    schemas = {path.stem: path.read_text() for path in (CHECKOUT / "schemas").glob("*.pyi")}
    small, small_modules = measure({"small": SMALL}, "small", repeats)
    heat, modules = measure({k: schemas[k] for k in ("heat", "materials")}, "heat", repeats)
    for name, seconds, count, limit in (
        ("one class, two fields", small, small_modules, ""),
        ("schemas/heat.pyi", heat, modules, f", at most {MOST_SECONDS * 1e3:.0f} ms"),
    ):
        above = f"{seconds * 1e3:6.1f} ms above `import jax, jaxtyping`"
        print(f"{name:<22} {above}, {count} modules of the run time{limit}")
    compared = table(compare(repeats))
    print(f"\n{compared}")
    if options.write:
        text = f"With {report.versions(LIBRARIES)}:\n\n{compared}"
        part = pages.part_of_this_jax("benchmarks.imports")
        pages.write("docs/benchmarks/builds.md", part, text)
    raise SystemExit(1 if heat > MOST_SECONDS else 0)


if __name__ == "__main__":
    main()
