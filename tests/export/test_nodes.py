# mypy: disable-error-code="no-untyped-call"
"""Export a program with every kind of pytree node, and run it in another process."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import frozendict, stack
from codegen.runtime.checkpoint import pack
from codegen.runtime.export import export
from tests import forked
from tests.generated.package import Package, forget, write_text

PROJECT = Path(__file__).parents[2]
SCHEMA = """
from typing import Any
from codegen.schema import Dim, donated, dynamic, f32, frozendict, impl, share, stacked, static

n = Dim()
layers = Dim()

class Table:
    data: donated[f32[n]]

class Head:
    table: donated[Table]
    scale: dynamic[float] = 1.0

class Block:
    w: dynamic[f32[n]]
    name: static[str] = ""

class Tied:
    table: donated[Table]
    head: donated[Head]
    share(table, head.table)

class Training:
    table: donated[Table]
    tied: donated[Tied]
    blocks: dynamic[stacked[Block, layers]]
    several: dynamic[dict[str, tuple[f32[n], None]]]
    rates: static[frozendict[str, int] | None] = None
    anything: dynamic[Any] = None
    share(table, tied.table)

@impl("tests.export.running:double")
def double(training: dynamic[Training]) -> Training: ...
"""
CLIENT = """
import sys
# The implementation is not there.
sys.modules["tests"] = None
sys.path[:0] = sys.argv[1:]
from pathlib import Path
import numpy as np
from jax import export
from bundled.tied import Training
from codegen.runtime.checkpoint import unpack
from codegen.runtime import diff
from codegen.runtime.export import register_for_export

folder = Path(sys.argv[1])
register_for_export()
register_for_export()
program = export.deserialize(bytearray((folder / "double.bin").read_bytes()))
arrays = dict(np.load(folder / "arrays.npz"))
training = unpack(Training, arrays, (folder / "about.json").read_text())
after = program.call(training)
assert after.table is after.tied.table is after.tied.head.table
assert after.__codegen_key__ is training.__codegen_key__
for path, (_, value) in diff(training, after).items():
    print(path, np.asarray(value).tolist())
"""


@pytest.fixture
def bundled(tmp_path: Path) -> Iterator[Package]:
    """A package with declared sharing."""
    sys.path.insert(0, str(tmp_path))
    yield write_text(SCHEMA, "tied", tmp_path, "bundled")
    sys.path.remove(str(tmp_path))
    forget("bundled")


def _training(bundled: Package) -> Any:
    """Create an object with every kind of node: shared parts, stacks, containers, None."""
    tied = bundled.load("tied")
    table = tied.Table(jnp.ones(2))
    head = tied.Head(table=table, scale=2.0)
    blocks = [tied.Block(w=jnp.full(2, i, jnp.float32), name="\udcff") for i in range(2)]
    return tied.Training(
        table=table,
        tied=tied.Tied(table=table, head=head),
        blocks=stack(blocks),
        several={"a": (jnp.ones(2), None)},
        rates=frozendict({"\udcff": 10**5000}),
        anything=[None, (), {"b": head}],
    )


def test_every_kind_of_node_is_exported(bundled: Package, tmp_path: Path) -> None:
    training = _training(bundled)
    exported = export(bundled.load("tied").double, training)
    (tmp_path / "double.bin").write_bytes(exported.serialize())
    packed = pack(training)
    np.savez(tmp_path / "arrays.npz", **packed.arrays)
    (tmp_path / "about.json").write_text(packed.about)
    done = forked.run("-c", CLIENT, str(tmp_path), str(PROJECT))
    assert done.stdout.splitlines() == [
        "table.data [2.0, 2.0]",
        "tied.table.data [2.0, 2.0]",
        "tied.head.table.data [2.0, 2.0]",
        "tied.head.scale 4.0",
        "blocks.w [[0.0, 0.0], [2.0, 2.0]]",
        "several['a'][0] [2.0, 2.0]",
        "anything[2]['b'].table.data [2.0, 2.0]",
        "anything[2]['b'].scale 4.0",
    ]
