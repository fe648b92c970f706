"""Show which parts of a state are lost between saving and restoring, by library.

    $ python -m benchmarks.lost             # the table of docs/checkpoints.md
    $ python -m benchmarks.lost --write     # written there

A plate of iron (0.5 thick, float32) is saved. It is restored with different templates: a plate of copper (0.001
thick), no template, a plate in bfloat16, and a class whose array has another name.
"""

import dataclasses
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import equinox
import flax.serialization
import flax.struct
import jax
import jax.numpy as jnp
import jax_dataclasses
import orbax.checkpoint.experimental.v1 as ocp

from benchmarks import pages
from codegen.runtime.checkpoint import restore, save

SAVED, RENAMED = "u", "temperature"
SCHEMA = """
from codegen.schema import dynamic, f32, static

class Plate:
    {array}: dynamic[f32[...]]  # codegen: was[{was}]
    thickness: static[float]
    material: static[str]
"""
STATICS = {"thickness": float, "material": str}
BUILT = tempfile.TemporaryDirectory()  # Packages built from schemas, kept until the process ends.


def plain(array: str) -> Any:
    """Define a dataclass with static fields, using only JAX."""
    static = [(n, t, dataclasses.field(metadata={"static": True})) for n, t in STATICS.items()]
    made: Any = dataclasses.make_dataclass("Plain", [(array, Any), *static])
    return jax.tree_util.register_dataclass(made)


def of_flax(array: str) -> Any:
    """Define the same class with flax."""
    static = {name: flax.struct.field(pytree_node=False) for name in STATICS}
    made = type("Flax", (), {"__annotations__": {array: Any} | STATICS, **static})
    return flax.struct.dataclass(made)


def of_jax_dataclasses(array: str) -> Any:
    """Define the same class with jax_dataclasses."""
    static = {"thickness": jax_dataclasses.Static[float], "material": jax_dataclasses.Static[str]}
    made = type("Jdc", (), {"__annotations__": {array: Any} | static})
    return jax_dataclasses.pytree_dataclass(made)


def of_equinox(array: str) -> Any:
    """Define the same class with equinox."""
    static = {name: equinox.field(static=True) for name in STATICS}
    body = {"__annotations__": {array: Any} | STATICS, "__module__": __name__, **static}
    return type(equinox.Module)("Equinox", (equinox.Module,), body)


def of_schema(array: str) -> Any:
    """Define the same class with a schema that declares the former name of the array."""
    project = Path(BUILT.name, array)
    (project / "schemas").mkdir(parents=True)
    settings = f'[tool.codegen]\nout = "by_{array}"\n'
    (project / "pyproject.toml").write_text(settings, encoding="utf-8")
    schema = SCHEMA.format(array=array, was=SAVED if array == RENAMED else "earlier")
    (project / "schemas" / "plate.pyi").write_text(schema, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "codegen", "-q", "build"], cwd=project, check=True)
    sys.path.append(str(project))
    return importlib.import_module(f"by_{array}.plate").Plate


def by_orbax(state: Any, like: Any, folder: Path) -> Any:
    """Use `save` and `load` of orbax."""
    ocp.save(folder / "orbax", state)
    return ocp.load(folder / "orbax", like)


def by_flax(state: Any, like: Any, folder: Path) -> Any:
    """Use the bytes format of flax."""
    (folder / "flax").write_bytes(flax.serialization.to_bytes(state))
    data = (folder / "flax").read_bytes()
    if like is None:
        return flax.serialization.msgpack_restore(data)
    return flax.serialization.from_bytes(like, data)


def by_equinox(state: Any, like: Any, folder: Path) -> Any:
    """Use the file of leaves of equinox."""
    equinox.tree_serialise_leaves(folder / "leaves.eqx", state)
    return equinox.tree_deserialise_leaves(folder / "leaves.eqx", like)


def by_codegen(state: Any, like: Any, folder: Path) -> Any:
    """Use `save` and `restore`."""
    save(folder / "codegen", state)
    if like is None:
        return restore(folder / "codegen", type(state))
    return restore(folder / "codegen", type(like), like=like)


class Way(NamedTuple):
    """A library's class definitions, and how it saves and restores objects."""

    classes: Callable[[str], Any]
    through: Callable[[Any, Any, Path], Any]


WAYS = {
    "`register_dataclass`, by orbax": Way(plain, by_orbax),
    "`flax.struct`, by flax's bytes": Way(of_flax, by_flax),
    "`jax_dataclasses`, by flax's bytes": Way(of_jax_dataclasses, by_flax),
    "equinox, by its file of leaves": Way(of_equinox, by_equinox),
    "codegen, by `save` and `restore`": Way(of_schema, by_codegen),
}


class Asked(NamedTuple):
    """A template with which the saved plate is restored."""

    thickness: float = 0.5
    material: str = "iron"
    dtype: str = "float32"
    array: str = SAVED


ASKED = {
    "0.001, copper": Asked(0.001, "copper"),
    "no plate": None,
    "bfloat16": Asked(dtype="bfloat16"),
    f"`{SAVED}` is now `{RENAMED}`": Asked(array=RENAMED),
}


def outcome(way: Way, classes: dict[str, Any], asked: Asked | None) -> str:
    """Describe what happens to a plate of iron; silent losses are bold."""
    saved = classes[SAVED](jnp.full((2, 2), 0.1), thickness=0.5, material="iron")
    like = None
    if asked is not None:
        zeros = jnp.zeros((2, 2), asked.dtype)
        like = classes[asked.array](zeros, thickness=asked.thickness, material=asked.material)
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = way.through(saved, like, Path(folder))
        except Exception as error:  # noqa: BLE001  Whatever a library raises there.
            return f"`{type(error).__name__}`"
    if found is None:
        return "**nothing**"
    if isinstance(found, dict):
        return f"**a dict of {', '.join(sorted(found))}**"
    array = getattr(found, asked.array if asked else SAVED)
    said = f"{found.thickness}, {found.material}, {array.dtype}"
    return said if said == "0.5, iron, float32" else f"**{said}**"


def table() -> str:
    """Format the table in Markdown."""
    lines = [f"| asked for | {' | '.join(ASKED)} |", "|---" * (len(ASKED) + 1) + "|"]
    for name, way in WAYS.items():
        classes = {array: way.classes(array) for array in (SAVED, RENAMED)}
        cells = [outcome(way, classes, asked) for asked in ASKED.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    packages = ("jax", "orbax-checkpoint", "flax", "jax-dataclasses", "equinox")
    made = ", ".join(f"{package} {version(package)}" for package in packages)
    return (
        "\n".join(lines)
        + f"\n\nIn bold: values that were lost or changed without an error. With {made}."
    )


def main() -> None:
    """Print the table, or write it to its page."""
    text = table()
    print(text)
    if "--write" in sys.argv:
        pages.write("docs/checkpoints.md", "python -m benchmarks.lost --write", text)


if __name__ == "__main__":
    main()
