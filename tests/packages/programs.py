"""Programs that import and use the run time, and print what they give or raise.

    python programs.py package      # with `codegen.runtime`
    python programs.py vendored     # with the copy, and without `codegen`

The schema is `schemas/plates.pyi`, built as the package `plates`. The process can import no package
that only the generator needs. A program whose name starts with `refused_` raises an error.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pickle
import pkgutil
import sys
import warnings
from pathlib import Path
from typing import Any

FORM, SUBPACKAGES = sys.argv[1], sys.argv[2:]
FORBIDDEN = ["jinja2", "libcst", "msgspec", "mypy", "pyright", "rich"]
FORBIDDEN += ["codegen"] if FORM == "vendored" else [f"codegen.{name}" for name in SUBPACKAGES]
for name in FORBIDDEN:
    sys.modules[name] = None  # type: ignore[assignment]

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

RUN_TIME = "plates._runtime" if FORM == "vendored" else "codegen.runtime"
m: Any = importlib.import_module("plates.plates")
rt: Any = importlib.import_module(RUN_TIME)
lift, checkpoint, exporting = (
    importlib.import_module(f"{RUN_TIME}.{name}") for name in ("lift", "checkpoint", "export")
)


def make_plate(n: int = 3, **fields: Any) -> Any:
    return m.Plate(jnp.arange(float(n)), m.Grid(n), **fields)


def every_module() -> Any:
    found = pkgutil.walk_packages(rt.__path__, f"{RUN_TIME}.")
    return [importlib.import_module(one.name).__name__ for one in found]


# --- objects


def constructor() -> Any:
    grid = m.Grid(np.int64(3), dx=1, rates=rt.frozendict(a=1.0), sizes=(1, 2), source=abs)
    return grid, grid == m.Grid(3, dx=1.0, sizes=(1, 2)), grid.replace(mode="b"), make_plate(t=1)


def refused_static_type() -> Any:
    return m.Grid("three")


def pickled() -> Any:
    plate = make_plate(cells=(m.Cell(jnp.ones(3)),))
    return pickle.loads(pickle.dumps(plate)) == plate, pickle.loads(pickle.dumps(m.Grid(3)))


def differences() -> Any:
    return rt.diff(make_plate(), make_plate(t=1.0))


# --- shapes


def abstract_and_init() -> Any:
    cell = m.Cell.abstract(nx=2)
    return cell, cell.zeros(), cell.init(jax.random.key(0)), cell.axes("nx")


def table() -> Any:
    return str(rt.table(make_plate()))


def fingerprints() -> Any:
    return m.Grid(3).fingerprint(), make_plate().fingerprint()


def shardings() -> Any:
    mesh = jax.make_mesh((1,), ("rows",), axis_types=(jax.sharding.AxisType.Auto,))
    rows = m.Rows.abstract(rows=2)
    return rows.shardings(mesh).u.spec, rows.specs().u


# --- functions


def call() -> Any:
    return m.step(make_plate(), 0.5, 2)


def refused_consumed_array() -> Any:
    plate = make_plate()
    m.step(plate, 0.5)
    return plate.u + 1


def refused_result() -> Any:
    return m.wrong(make_plate())


def donation() -> Any:
    return m.step.donation(make_plate(), 0.5), str(inspect.signature(m.step))


def written_ref() -> Any:
    cache = m.Cache(jax.new_ref(jnp.zeros(2)), jnp.ones(2))
    return m.write(cache).kept[...]


def retraces() -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in (2, 3):
            m.few(jnp.ones(n))
    return [type(one.message).__name__ for one in caught], len(m.few.traces)


def own_jit() -> Any:
    return rt.jit(lambda plate: plate.replace(t=1.0), donated="plate")(make_plate())


# --- sharing, identities, drafts


def shared() -> Any:
    cell = m.Cell(jnp.ones(2))
    tied = m.Tied(cell, cell)
    gradient = jax.grad(lambda t: (t.first.w + 2 * t.second.w).sum())(tied)
    return len(jax.tree.leaves(tied)), gradient


def identities() -> Any:
    cell = m.Cell(jnp.ones(2))
    one, other = rt.preserve_identities(jax.jit)(lambda a, b: (a, b))(cell, cell)
    return one is other


def drafts() -> Any:
    draft = m.Noise(jax.random.key(0)).draft()

    def body(noise: Any, x: Any) -> Any:
        noise.count += x
        return jax.random.normal(noise.next_key())

    return lift.scan(body, draft, jnp.ones(3)), draft.freeze().count


# --- files


def packed() -> Any:
    found = checkpoint.pack(make_plate(cells=(m.Cell(jnp.ones(3)),)))
    return found.about, found.arrays, checkpoint.unpack(m.Plate, *found)


def refused_checkpoint() -> Any:
    return checkpoint.unpack(m.Grid, *checkpoint.pack(make_plate()))


def configurations() -> Any:
    given = checkpoint.to_dict(m.Grid(3, scheme=m.Scheme.FAST))
    return given, checkpoint.from_dict(m.Grid, given)


def exported() -> Any:
    found = exporting.export(m.step, make_plate(), 0.5)
    return found.call(make_plate(), jnp.float32(0.5))


def refused_older_protocol() -> Any:
    return rt.protocol_v1


def refused_newer_protocol() -> Any:
    return rt.protocol_v9


def main() -> None:
    """Print what each program of this module gives, as a line of JSON."""
    programs = {
        name: one
        for name, one in globals().items()
        if inspect.isfunction(one) and one.__module__ == __name__ and one.__code__.co_argcount == 0
    }
    for name, program in programs.items():
        if name == "main":
            continue
        try:
            outcome = ["gives", repr(program())]
        except Exception as error:  # noqa: BLE001
            outcome = [type(error).__name__, str(error), *getattr(error, "__notes__", ())]
        texts = [text.replace(RUN_TIME, "RUN_TIME") for text in outcome]
        print(json.dumps([name, *texts]).replace(str(Path(__file__).parent), "FOLDER"))  # noqa: T201


if __name__ == "__main__":
    main()
