"""What is lost of a state between saving and restoring, by library.

    $ python -m benchmarks.lost             # the table of docs/checkpoints.md
    $ python -m benchmarks.lost --write     # written there

A plate of iron, 0.5 thick, in float32, is saved, and asked for by a plate of copper, 0.001
thick; by the same in bfloat16; and without another plate.
"""

import dataclasses
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import equinox
import flax.serialization
import flax.struct
import jax
import jax.numpy as jnp
import orbax.checkpoint.experimental.v1 as ocp

from generated._runtime.checkpoint import restore, save
from generated.heat import Grid, Plate
from generated.materials import Material

DOCUMENT = Path(__file__).parents[1] / "docs" / "checkpoints.md"
BEGIN, END = "<!-- python -m benchmarks.lost --write -->\n", "<!-- end -->\n"


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Plain:
    """A dataclass with JAX's own static fields."""

    u: Any
    thickness: float = dataclasses.field(metadata={"static": True})
    material: str = dataclasses.field(metadata={"static": True})


@flax.struct.dataclass
class Flax:
    """The same of flax."""

    u: Any
    thickness: float = flax.struct.field(pytree_node=False)
    material: str = flax.struct.field(pytree_node=False)


class Equinox(equinox.Module):
    """The same of equinox."""

    u: Any
    thickness: float = equinox.field(static=True)
    material: str = equinox.field(static=True)


def ours(u: Any, thickness: float, material: str) -> Plate:
    """The same, of a schema."""
    metal = Material(material, conductivity=1.0, density=1.0, specific_heat=1.0)
    return Plate(u, jnp.ones((2, 2)), Grid(nx=2, ny=2), metal, thickness=thickness)


def by_orbax(state: Any, like: Any, folder: Path) -> Any:
    """Through orbax's own `save` and `load`."""
    ocp.save(folder / "orbax", state)
    return ocp.load(folder / "orbax", like)


def by_flax(state: Any, like: Any, folder: Path) -> Any:
    """Through flax's bytes."""
    data = flax.serialization.to_bytes(state)
    del folder
    if like is None:
        return flax.serialization.msgpack_restore(data)
    return flax.serialization.from_bytes(like, data)


def by_equinox(state: Any, like: Any, folder: Path) -> Any:
    """Through equinox's file of leaves."""
    equinox.tree_serialise_leaves(folder / "leaves.eqx", state)
    return equinox.tree_deserialise_leaves(folder / "leaves.eqx", like)


def by_codegen(state: Any, like: Any, folder: Path) -> Any:
    """Through `save` and `restore`."""
    save(folder / "codegen", state)
    given = {} if like is None else {"like": like}
    return restore(folder / "codegen", Plate, **given)


WAYS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "orbax, a registered dataclass": (Plain, by_orbax),
    "flax, `flax.struct` and its bytes": (Flax, by_flax),
    "equinox, its file of leaves": (Equinox, by_equinox),
    "codegen": (ours, by_codegen),
}


def outcome(make: Any, way: Any, thickness: float, material: str, dtype: Any) -> str:
    """What becomes of a plate of iron that another one asks for; none without a material."""
    saved = make(jnp.full((2, 2), 0.1), 0.5, "iron")
    like = make(jnp.zeros((2, 2), dtype), thickness, material) if material else None
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = way(saved, like, Path(folder))
        except Exception as error:  # noqa: BLE001  Whatever a library raises there.
            return f"`{type(error).__name__}`"
    if found is None:
        return "nothing"
    if isinstance(found, dict):
        return f"a dict of {', '.join(sorted(found))}"
    held = getattr(found.material, "name", found.material)
    statics = f"{found.thickness}, {held}"
    if dtype == jnp.float32:
        return statics
    return f"{found.u.dtype}"


def table() -> str:
    """The table, in Markdown."""
    lines = [
        "| saved: 0.5, iron, float32; asked for: | 0.001, copper | nothing | bfloat16 |",
        "|---|---|---|---|",
    ]
    for name, (make, way) in WAYS.items():
        cells = [
            outcome(make, way, 0.001, "copper", jnp.float32),
            outcome(make, way, 0.5, "", jnp.float32),
            outcome(make, way, 0.5, "iron", jnp.bfloat16),
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, or write it where it is shown."""
    if "--write" not in sys.argv:
        print(table(), end="")
        return
    text = DOCUMENT.read_text(encoding="utf-8")
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    DOCUMENT.write_text(
        re.sub(pattern, lambda _: BEGIN + table() + END, text, flags=re.DOTALL), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
