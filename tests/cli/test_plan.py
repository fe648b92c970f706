"""Test `codegen plan`: the memory of a class from its schema, and what changed in it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.promises.project import CHECKOUT

OLD = """\
from codegen.schema import Dim, donated, dynamic, f32, field, bf16, i32, key, share, stacked, static
from optax import OptState

nx = Dim(mesh="rows")
n_in = Dim()
n_out = Dim()
layers = Dim()
batch = Dim()

class Grid:
    nx: static[int]

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]] = field(spec=(None, "rows"))
    b: dynamic[f32[n_out]]

class Model:
    grid: static[Grid] = Grid(nx=8)
    first: donated[Linear[nx + 1, 16]]
    rest: donated[tuple[Linear[nx, nx], layers]]
    blocks: donated[stacked[Linear[nx, nx], layers]]
    more: donated[list[f32[2 * nx]]]
    tied: donated[Linear[nx + 1, 16]]
    rng: donated[key]
    none: dynamic[f32[nx] | None] = None
    pair: dynamic[tuple[f32, bool]] = (1.0, True)
    share(first, tied)

class Chain(dims=(n_in, layers)):
    links: dynamic[tuple[f32[n_in // 2], layers]]

class Chains:
    chain: dynamic[Chain[nx, _]]

class State:
    model: donated[Model]
    images: dynamic[f32[*batch, nx]]
    any: dynamic[f32[...]]
    optimiser: donated[OptState]
"""
NEW = OLD.replace("    any: dynamic[f32[...]]\n", "    steps: dynamic[i32]\n").replace(
    "b: dynamic[f32[n_out]]", "b: donated[bf16[n_out]]"
)
SIZES = ["--size", "nx=8,layers=2,model.more=1", "--size", "batch=3x2"]

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def heat(empty: Path) -> Path:
    (empty / "schemas").mkdir()
    (empty / "schemas/heat.pyi").write_text(OLD)
    return empty


def test_table_of_a_class(run: Run, capsys: Capture, heat: Path) -> None:
    assert run("plan", "State", *SIZES, "--mesh", "rows=4,other=1") == 2
    assert "`other` is not a mesh axis of these classes" in capsys.readouterr().err
    assert run("plan", "State", *SIZES, "--mesh", "rows=4") == 0
    assert (
        capsys.readouterr().out
        == """\
heat.State on 4 devices
  model      donated  Model                          1.8 KiB  573 B/device
    grid     static   Grid = Grid(nx=8)
    first    donated  Linear                         640 B    208 B/device
      w      donated  f32[9,16]                      576 B    144 B/device  P(None, "rows")
      b      dynamic  f32[16]                        64 B     64 B/device   P()
    rest     donated  tuple[Linear[nx, nx], layers]  576 B    144 B/device
      [0]    donated  Linear                         288 B    72 B/device
        w    donated  f32[8,8]                       256 B    64 B/device   P(None, "rows")
        b    dynamic  f32[8]                         32 B     8 B/device    P("rows")
      [1]    donated  Linear                         288 B    72 B/device
        w    donated  f32[8,8]                       256 B    64 B/device   P(None, "rows")
        b    dynamic  f32[8]                         32 B     8 B/device    P("rows")
    blocks   donated  Linear                         576 B    144 B/device
      w      donated  f32[2,8,8]                     512 B    128 B/device  P(None, None, "rows")
      b      dynamic  f32[2,8]                       64 B     16 B/device   P(None, "rows")
    more     donated  list[f32[2 * nx]]              64 B     64 B/device
      [0]    donated  f32[16]                        64 B     64 B/device   P()
    tied     donated  shared with model.first
    rng      donated  key[]                          8 B      8 B/device    P()
    none     dynamic  None
    pair     dynamic  tuple[f32, bool]               5 B      5 B/device
      [0]    dynamic  f32[]                          4 B      4 B/device    P()
      [1]    dynamic  bool[]                         1 B      1 B/device    P()
  images     dynamic  f32[3,2,8]                     192 B    48 B/device   P(None, None, "rows")
  any        dynamic  f32[...]: not counted
  optimiser  donated  OptState: not counted
  total               13 arrays, 515 numbers, 2.0 KiB, 621 B/device, without any, optimiser
"""
    )


def test_wrong_sizes_and_names(run: Run, capsys: Capture, heat: Path) -> None:
    for words, told in (
        (
            ["State"],
            "sizes of `heat.State` are missing: add `--size nx=N,layers=N,model.more=N,batch=N`",
        ),
        (["Stat"], "no class is called `Stat`; did you mean `State`?"),
        (["heat.Grid", "--size", "ny=4"], "`ny` is not a size of these classes; they have none"),
        (["Linear", "--size", "x=4"], "these classes; write one of n_in, n_out"),
        (["Linear", "--size", "n_in=4", "--size", "n_in=5"], "`--size` has `n_in` twice"),
        (["Linear", "--size", "n_in=,n_out=1"], "the size `n_in` of `w` would not be one number"),
        (
            ["Linear", "--size", "n_in=4,n_uot=5"],
            "`n_uot` is not a size of these classes; did you mean `n_out`?",
        ),
        (
            ["Linear", "--size", "n_in"],
            "`n_in` in `--size` is not a name and a whole number, as in `nx=64`",
        ),
        (
            ["Linear", "--size", "n_in=2x3,n_out=1"],
            "`heat.Linear`: the size `n_in` of `w` would not be one number",
        ),
        (
            ["Linear", "--size", "n_in=2,n_out=5", "--mesh", "rows=0"],
            "`rows=0` in `--mesh` is not a name and a whole number, as in `rows=4`",
        ),
        (
            ["Linear", "--size", f"n_in={'9' * 18},n_out={'9' * 18}"],
            "`w` would have more than 1152921504606846976 bytes",
        ),
        (
            ["Linear", "--size", "n_in=2,n_out=5", "--mesh", "rows=2"],
            "axis 1 of `w` has the size 5, but must be a multiple of 2",
        ),
        (["Model", "--size", "nx=2,layers=100001,more=1"], "`rest` would have 100001 items"),
    ):
        assert run("plan", *words) == 2, words
        assert told in capsys.readouterr().err
    assert run("plan", "Chains", "--size", "nx=5,chain.links=3") == 0
    assert "3 arrays, 6 numbers, 24 B" in capsys.readouterr().out
    assert run("plan", "Linear", "--size", "n_in=0,n_out=3") == 0
    assert "2 arrays, 3 numbers, 12 B" in capsys.readouterr().out
    assert run("plan", "State", "--size", "nx=8,layers=0,model.more=0,batch=") == 0
    assert "images     dynamic  f32[8]" in capsys.readouterr().out


def test_json(run: Run, capsys: Capture, heat: Path) -> None:
    assert run("plan", "heat.Linear", "--size", "n_in=2,n_out=4", "--json") == 0
    (table,) = json.loads(capsys.readouterr().out)["classes"]
    assert table["name"] == "heat.Linear"
    assert table["rows"][0] == {
        "path": "w",
        "role": "donated",
        "dtype": "float32",
        "shape": [2, 4],
        "bytes": 32,
        "bytes_per_device": 32,
        "spec": None,
    }


def test_changes_against_an_earlier_version(run: Run, capsys: Capture, heat: Path) -> None:
    (heat / "earlier").mkdir()
    (heat / "earlier/heat.pyi").write_text(OLD)
    assert run("plan", "State", "--against", "earlier", *SIZES) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "no class needs other memory than in `earlier`\n")
    (heat / "schemas/heat.pyi").write_text(NEW)
    assert run("plan", "State", "--against", "earlier", *SIZES, "--mesh", "rows=2") == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "heat.State: 2.0 KiB, 1.1 KiB/device -> 1.9 KiB, 1.0 KiB/device"
    assert last.split() == ["+", "steps", "dynamic", "i32[]", "4", "B", "4", "B/device"]
    assert run("plan", "Linear", "--against", "earlier", "--json", "--size", "n_in=2,n_out=2") == 0
    (change,) = json.loads(capsys.readouterr().out)["changes"]
    assert [one["bytes"] for one in change.values()] == [24, 20]
    (heat / "earlier/heat.pyi").write_text("")
    assert run("plan", "Linear", "--against", "earlier", "--size", "n_in=2,n_out=2") == 0
    assert (
        capsys.readouterr().out
        == """\
heat.Linear: nothing -> 20 B
  + w  donated  f32[2,2]  16 B
  + b  donated  bf16[2]   4 B
"""
    )
    (heat / "earlier/heat.pyi").write_text("class")
    assert run("plan", "--against", "earlier") == 2
    assert "the schemas of `earlier` have errors" in capsys.readouterr().err


def test_numpy_and_jax_are_not_imported(tmp_path: Path) -> None:
    script = (
        "import sys; from codegen.cli.main import main; "
        "assert main(['plan', 'Plate', '--size', 'nx=4,ny=4']) == 0; "
        "assert not {'jax', 'numpy', 'jaxtyping'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", script], cwd=CHECKOUT, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("field", "number", "told"),
    [
        ("tuple[A{0}, A{0}]", 60, "more than 100000 arrays and other values"),
        ("tuple[tuple[None, 9999], 9999]", 1, "more than 100000 arrays and other values"),
        ("A{0} | None", 400, "classes in 200 levels"),
    ],
)
def test_hostile_schemas_end(
    run: Run, capsys: Capture, heat: Path, field: str, number: int, told: str
) -> None:
    """Classes that each hold the one before, or a tuple of many values."""
    held = "".join(f"class A{i + 1}:\n    x: dynamic[{field.format(i)}]\n\n" for i in range(number))
    text = f"from codegen.schema import dynamic, f32\n\nclass A0:\n    x: dynamic[f32]\n\n{held}"
    (heat / "schemas/heat.pyi").write_text(text)
    assert run("plan") == 2
    assert told in capsys.readouterr().err
