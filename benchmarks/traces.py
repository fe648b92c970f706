"""Compare the explanations of five retraces by JAX, equinox, chex and `step.traces`.

    $ python -m benchmarks.traces
    a static value
        jax: TRACING CACHE MISS at ...
        ...

Each library has a class with the same fields and a function that is called twice. JAX explains retraces with
`jax_explain_cache_misses`. equinox and chex have assertions about the number of traces. `--write` writes the texts to
`docs/benchmarks/traces.md`. This needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import importlib
import logging
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import chex
import equinox as eqx
import jax
import jax.numpy as jnp

CHECKOUT = Path(__file__).parents[1]
SCHEMA = '''
"""A plate, as hand-written classes have it."""

from codegen.schema import Dim, Float, dynamic, f32, impl, key, static

nx = Dim()

class Plate:
    u: dynamic[f32[nx]]
    alpha: dynamic[Float[nx]]
    rng: dynamic[key | None] = None
    thickness: static[float] = 0.001

@impl("traced_plate_model:step")
def step(plate: dynamic[Plate], dt: dynamic[f32]) -> f32[nx]: ...
'''
# The change in each second call; the first call has none.
CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "a static value": lambda: {"thickness": 0.002},
    "a shape": lambda: {"u": jnp.ones(128), "alpha": jnp.ones(128)},
    "a dtype": lambda: {"alpha": jnp.ones(64, jnp.bfloat16)},
    "a structure": lambda: {"rng": jax.random.key(0)},
    "three of these at once": lambda: {
        "thickness": 0.002,
        "alpha": jnp.ones(64, jnp.bfloat16),
        "rng": jax.random.key(0),
    },
}


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=["u", "alpha", "rng"],
    meta_fields=["thickness"],
)
@dataclasses.dataclass(frozen=True)
class Registered:
    """A dataclass that JAX has registered; chex uses the same one."""

    u: jax.Array
    alpha: jax.Array
    rng: jax.Array | None = None
    thickness: float = 0.001


class Module(eqx.Module):
    """An equinox module."""

    u: jax.Array
    alpha: jax.Array
    rng: jax.Array | None = None
    thickness: float = eqx.field(static=True, default=0.001)


def step(plate: Any, dt: Any) -> Any:
    """Advance a plate of any of the classes."""
    return plate.u + dt * plate.alpha * plate.thickness


def main() -> None:
    """Print or write the explanation of every case."""
    parser = argparse.ArgumentParser(description="Compare the explanations of retraces.")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        module = _generated(Path(folder))
        said = {
            case: {
                "jax": _jax(change),
                "equinox": _equinox(change),
                "chex": _chex(change),
                "codegen": _ours(module, change),
            }
            for case, change in CASES.items()
        }
    if options.write:
        page = CHECKOUT / "docs" / "benchmarks" / "traces.md"
        page.write_text(_page(said), encoding="utf-8")
    for case, texts in said.items():
        for library, text in texts.items():
            print(f"{case}, {library}:\n    " + text.replace("\n", "\n    "))


def _calls(function: Any, kind: Any, change: Callable[[], dict[str, Any]]) -> None:
    """Call a function with a plate, then with another one."""
    arrays = {"u": jnp.ones(64), "alpha": jnp.ones(64)}
    function(kind(**arrays), jnp.float32(0.1))
    function(kind(**arrays | change()), jnp.float32(0.1))


def _jax(change: Any) -> str:
    said: list[str] = []

    def traced_step(plate: Any, dt: Any) -> Any:
        return step(plate, dt)

    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("jax")
    logger.addHandler(handler)
    try:
        with jax.explain_cache_misses(True):
            _calls(jax.jit(traced_step), Registered, change)
    finally:
        logger.removeHandler(handler)
    return next(text for text in reversed(said) if "traced_step" in text and "CACHE MISS" in text)


def _equinox(change: Any) -> str:
    function = eqx.filter_jit(eqx.debug.assert_max_traces(step, max_traces=1))
    return _refused(lambda: _calls(function, Module, change))


def _chex(change: Any) -> str:
    function = jax.jit(chex.assert_max_traces(step, n=1))
    return _refused(lambda: _calls(function, Registered, change))


def _ours(module: Any, change: Any) -> str:
    module = importlib.reload(module)  # functions without any traces
    _calls(module.step, module.Plate, change)
    return str(module.step.traces[-1])


def _refused(call: Callable[[], None]) -> str:
    try:
        call()
    except (RuntimeError, AssertionError) as error:
        return str(error)
    raise SystemExit("it was traced twice, and nothing was said")


def _generated(folder: Path) -> Any:
    """Build the schema and import its module."""
    (folder / "schemas").mkdir()
    (folder / "schemas" / "plate.pyi").write_text(SCHEMA, encoding="utf-8")
    model = "from benchmarks.traces import step as step\n"
    (folder / "traced_plate_model.py").write_text(model, encoding="utf-8")
    command = [sys.executable, "-m", "codegen", "build", "schemas", "--out", "traced_plate"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    return importlib.import_module("traced_plate.plate")


def _page(said: dict[str, dict[str, str]]) -> str:
    libraries = ("jax", "equinox", "chex")
    versions = ", ".join(f"{name} {version(name)}" for name in libraries)
    lines = [
        "# How libraries explain a retrace",
        "",
        "A function is called twice, the second time with another argument. JAX explains the trace by",
        "`jax_explain_cache_misses`, equinox and chex by their assertions about the number of traces, and",
        f"generated functions by `step.traces[-1]`. {versions}; made by",
        "`python -m benchmarks.traces --write`.",
        "",
        "What to look for: does the text name the field, show both values, and list every difference?",
    ]
    first: dict[str, str] = {}
    for case, texts in said.items():
        lines += ["", f"## {case.capitalize()}"]
        for library, text in texts.items():
            if text in first:
                lines += ["", f"{library}: the same as for {first[text]}."]
            else:
                shown = map(str.rstrip, text.splitlines())
                lines += ["", f"{library}:", "", "```text", *shown, "```"]
        first |= {text: case for text in texts.values() if text not in first}
    # Shorten locations to file and line, and remove the addresses of objects.
    page = re.sub(r"(/[\w.-]+)+/([\w-]+\.py)", r"\2", "\n".join(lines) + "\n")
    return re.sub(r"0x[0-9a-f]+", "0x...", page)


if __name__ == "__main__":
    main()
