"""Generate the table of `docs/scale.md`: every array of a schema, its dimensions, axes and spec.

python -m tests.meshes.table        # writes it
"""

from pathlib import Path

import jax
from jax.sharding import PartitionSpec

from codegen.runtime.leaves import DeclaredLeaf, map_leaves
from codegen.runtime.shapes.dimensions import format_dim
from tests.processes.training import make_batches, make_training

DOCUMENT = Path(__file__).parents[2] / "docs" / "scale.md"
START, END = "<!-- table -->\n\n", "\n<!-- end of the table -->\n"


def table() -> str:
    """Return the table of the trained state and the batch of `schemas/digits.pyi`."""
    rows = ["| array | dimensions | `axes` | `specs` |", "|---|---|---|---|"]
    for obj in (make_training().model, make_batches(1)[0]):
        leaves: list[DeclaredLeaf] = []
        map_leaves(obj, leaves.append)
        specs = jax.tree.leaves(obj.specs())
        assert len(specs) == len(leaves)
        rows += [_row(leaf, spec) for leaf, spec in zip(leaves, specs, strict=True)]
    return "\n".join(rows) + "\n"


def with_table(text: str) -> str:
    """Return the document with the current table."""
    head, rest = text.split(START)
    return head + START + table() + END + rest.split(END)[1]


def _row(leaf: DeclaredLeaf, spec: PartitionSpec) -> str:
    dims = [format_dim(axis.dim) for axis in leaf.axes or ()]
    # If an array has a dimension twice, the first one is sharded.
    axes = ", ".join(f"{dim} {dims.index(dim)}" for dim in dict.fromkeys(dims))
    written = ", ".join(map(repr, spec))
    return f"| `{leaf.path}` | {', '.join(dims)} | {axes} | `P({written})` |"


if __name__ == "__main__":
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
