"""Test `codegen rename`: its edits of schemas, what it refuses, and that it writes all or nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec
import pytest

from codegen import pipeline
from codegen.cli.rename import Journal
from codegen.diagnostics import Report
from codegen.lint.fix import File
from codegen.options import Options
from codegen.output import transaction
from codegen.output.schemas import JOURNAL
from codegen.rename.names import SchemaNames
from codegen.rename.schemas import check_meaning, rename_in_schemas
from codegen.rename.target import find

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]

HEAT = '''\
"""Heat."""
from enum import Enum
from codegen.schema import Dim, donated, dynamic, f32, field, impl, reserved, share, static
from .grids import Grid, n as n
from .parts import Part as P

nx = Dim(mesh="nx")  # cells   # noqa: E501
Field = f32[nx,  n]

class Scheme(Enum): # how
    EXPLICIT = "EXPLICIT"
    IMPLICIT = "implicit"  # codegen: was[BACKWARD]

class Plate(
    abstract=True,
):  # a plate
    u: donated[Field]
    """Of u."""
    grid: static[Grid] = Grid(nx=3, n=4)  # u
    scheme: static[Scheme] = (  # one
        Scheme.EXPLICIT
    )  # codegen: was[a, b]
    part: dynamic[P]
    v: dynamic[Field] = field(spec=("nx", None), tag="u")
    reserved("gone")

    @impl("heat:u")
    def u_mean(self, nx: f32[nx]) -> f32: ...

class Slab(Plate):
    u: donated[Field]
    other: dynamic[P]
    share(part.w, other.w)

@impl("heat:step")
def step(u: donated[Slab]) -> Slab: ...  # codegen: was[run]
'''
GRIDS = """\
from codegen.schema import Dim, dynamic, f32, static
n = Dim()
class Grid:
    nx: static[int]
    n: static[int]
class Linear(dims=(n, m)):
    n: static[int]
    w: dynamic[f32[n, m]]
class Own:
    nx: static[int]
class Mixed(dims=(k,)):
    x: dynamic[f32[n, k]]
"""
PARTS = """\
from codegen.schema import dynamic, f32
class Part:
    w: dynamic[f32]
"""
FILES = MappingProxyType({"heat": HEAT, "grids": GRIDS, "parts": PARTS})
OPTIONS = Options("schemas", "generated")

# The target, the new name, and the lines that change, without their indentation.
CASES = (
    ("heat.Plate.u", "t", [
        ("u: donated[Field]", "t: donated[Field]  # codegen: was[u]"),
        ("u: donated[Field]", "t: donated[Field]  # codegen: was[u]"),
    ]),
    ("heat.Slab.part", "piece", [
        ("part: dynamic[P]",
         "piece: dynamic[P]  # codegen: was[part]"),
        ("share(part.w, other.w)", "share(piece.w, other.w)"),
    ]),
    ("parts.Part.w", "v", [
        ("share(part.w, other.w)", "share(part.v, other.v)"),
        ("w: dynamic[f32]", "v: dynamic[f32]  # codegen: was[w]"),
    ]),
    ("heat.Plate.scheme", "b", [  # the last former name: an undo
        ("scheme: static[Scheme] = (  # one", "b: static[Scheme] = (  # one"),
        (")  # codegen: was[a, b]", ")  # codegen: was[a]"),
    ]),
    ("heat.Plate.scheme", "a", [
        ("scheme: static[Scheme] = (  # one", "a: static[Scheme] = (  # one"),
        (")  # codegen: was[a, b]", ")  # codegen: was[b, scheme]"),
    ]),
    ("heat.Plate.scheme", "c", [
        ("scheme: static[Scheme] = (  # one", "c: static[Scheme] = (  # one"),
        (")  # codegen: was[a, b]", ")  # codegen: was[a, b, scheme]"),
    ]),
    ("heat.Scheme.IMPLICIT", "BACKWARD", [
        ('IMPLICIT = "implicit"  # codegen: was[BACKWARD]', 'BACKWARD = "implicit"'),
    ]),
    ("heat.Scheme.EXPLICIT", "FORWARD", [
        ('EXPLICIT = "EXPLICIT"', 'FORWARD = "EXPLICIT"  # codegen: was[EXPLICIT]'),
        ("Scheme.EXPLICIT", "Scheme.FORWARD"),
    ]),
    ("heat.Scheme", "Method", [
        ("class Scheme(Enum): # how", "class Method(Enum): # how  # codegen: was[Scheme]"),
        ("scheme: static[Scheme] = (  # one", "scheme: static[Method] = (  # one"),
        ("Scheme.EXPLICIT", "Method.EXPLICIT"),
    ]),
    ("heat.Plate", "Board", [
        ("class Plate(", "class Board("),
        ("):  # a plate", "):  # a plate  # codegen: was[Plate]"),
        ("class Slab(Plate):", "class Slab(Board):"),
    ]),
    ("heat.nx", "cells", [  # with the sizes that bind it, but not with that of `Own`
        ('nx = Dim(mesh="nx")  # cells   # noqa: E501',
         'cells = Dim(mesh="nx")  # cells   # noqa: E501  # codegen: was[nx]'),
        ("Field = f32[nx,  n]", "Field = f32[cells,  n]"),
        ("grid: static[Grid] = Grid(nx=3, n=4)  # u",
         "grid: static[Grid] = Grid(cells=3, n=4)  # u"),
        ("def u_mean(self, nx: f32[nx]) -> f32: ...",
         "def u_mean(self, nx: f32[cells]) -> f32: ..."),
        ("nx: static[int]", "cells: static[int]  # codegen: was[nx]"),
    ]),
    ("grids.Linear.n", "k", [  # a dimension of the class, and its size
        ("class Linear(dims=(n, m)):", "class Linear(dims=(k, m)):"),
        ("n: static[int]", "k: static[int]  # codegen: was[n]"),
        ("w: dynamic[f32[n, m]]", "w: dynamic[f32[k, m]]"),
    ]),
    ("parts.Part", "Piece", [
        ("from .parts import Part as P", "from .parts import Piece as P"),
        ("class Part:", "class Piece:  # codegen: was[Part]"),
    ]),
    ("heat.step", "advance", [
        ("def step(u: donated[Slab]) -> Slab: ...  # codegen: was[run]",
         "def advance(u: donated[Slab]) -> Slab: ...  # codegen: was[run]"),
    ]),
    ("heat.step", "run", [  # without the comment it would be its own former name
        ("def step(u: donated[Slab]) -> Slab: ...  # codegen: was[run]",
         "def run(u: donated[Slab]) -> Slab: ..."),
    ]),
    ("heat.Slab.u_mean", "mean", [
        ("def u_mean(self, nx: f32[nx]) -> f32: ...",
         "def mean(self, nx: f32[nx]) -> f32: ..."),
    ]),
    ("heat.Field", "Values", [
        ("Field = f32[nx,  n]", "Values = f32[nx,  n]"),
        ("u: donated[Field]", "u: donated[Values]"),
        ('v: dynamic[Field] = field(spec=("nx", None), tag="u")',
         'v: dynamic[Values] = field(spec=("nx", None), tag="u")'),
        ("u: donated[Field]", "u: donated[Values]"),
    ]),
)  # fmt: skip

REFUSED = (
    ("heat.Plate.w", "t", "`Plate` does not declare `w`"),
    ("heat.Plat", "Board", "did you mean `Plate`?"),
    ("het.Plate", "Board", "did you mean `heat.Plate`?"),
    ("heat", "cold", "`heat` is a module"),
    ("heat.Plate.u", "class", "is a Python keyword"),
    ("heat.Plate.u", "replace", "has the name of a member of every generated class"),
    ("heat.Plate.u", "2u", "is not an identifier"),
    ("heat.Plate.u", "²", "is not an identifier"),
    ("heat.Plate.u", "\uff47rid", "the class `Plate` declares `grid` twice"),  # as Python reads it
    ("heat.Plate.u", "heat.Plate.t", "write only the new name: `t`"),
    ("heat.Plate.u", "grid", "the class `Plate` declares `grid` twice"),
    ("heat.Plate.u", "gone", "`gone` of `Plate` is reserved"),
    ("heat.Plate", "P", "this module declares `P` twice"),
    ("grids.n", "k", "cannot be called `k`: it would be the same as `grids.Mixed.k`"),
    ("grids.Own.nx", "n", None),  # a size in another class stays another
    ("grids.Grid.nx", "step", "this module declares `step` twice"),  # with the dimension
)


def _names(files: Sequence[File]) -> SchemaNames:
    stages = pipeline.run(files, OPTIONS, "checked")
    assert not stages.report, [one.message for one in stages.report]
    assert stages.program is not None
    return SchemaNames(stages.program, stages.schema, stages.syntax)


def _renamed(files: Sequence[File], path: str, new: str) -> tuple[File, ...]:
    names = _names(files)
    target = find(names, path, "schemas")
    assert not isinstance(target, Report), [one.message for one in target]
    after = rename_in_schemas(files, names, target, new)
    assert not check_meaning(names, _names(after), target, new)
    return after


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a project with the real stages."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "schemas").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / f"schemas/{name}.pyi").write_text(text)
    monkeypatch.chdir(folder)
    return folder


def _state(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


@pytest.mark.parametrize(("path", "new", "changes"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_edits(path: str, new: str, changes: list[tuple[str, str]]) -> None:
    files = [(f"{name}.pyi", name, text.encode()) for name, text in FILES.items()]
    after = _renamed(files, path, new)
    pairs = [
        (old.strip().decode(), now.strip().decode())
        for one, other in zip(files, after, strict=True)
        for old, now in zip(one[2].split(b"\n"), other[2].split(b"\n"), strict=True)
        if old != now
    ]
    assert pairs == changes


def test_line_ends_and_byte_order_mark_stay() -> None:
    data = b"\xef\xbb\xbf" + PARTS.replace("\n", "\r\n").encode()
    after = _renamed([("parts.pyi", "parts", data)], "parts.Part.w", "v")
    assert after[0][2] == data.replace(b"w: dynamic[f32]", b"v: dynamic[f32]  # codegen: was[w]")


def test_rename_and_back_gives_the_same_bytes() -> None:
    cases = Path(__file__).parent.parent / "cases" / "generated"
    chosen = random.Random(1)
    for path in sorted(cases.rglob("*.pyi")):
        files = [(path.name, "schema", path.read_bytes())]
        names = sorted({str(one.named) for one in _names(files).occurrences})
        targets = [one for one in names if one not in ("schema.T", "schema.M")]
        for target in chosen.sample(targets, min(2, len(targets))):
            parent, _, old = target.rpartition(".")
            there = _renamed(files, target, "renamed")
            assert there != tuple(files), target
            assert _renamed(there, f"{parent}.renamed", old) == tuple(files), target


def test_refusals_change_nothing(run: Run, capsys: Capture, real: Path) -> None:
    before = _state(real)
    for path, new, message in REFUSED:
        status = run("rename", path, new, "--dry-run")
        told = capsys.readouterr().err
        assert (status, message is None or message in told) == (message is not None, True), (
            path,
            new,
            told,
        )
    assert run("rename", "heat.Plate.u", "u") == 2
    assert run("rename", "heat.Plate.u") == 2
    assert "`heat.Plate.u` already has the name `u`" in capsys.readouterr().err
    assert _state(real) == before


def test_command(run: Run, capsys: Capture, real: Path) -> None:
    (real / "pyproject.toml").write_text('[tool.codegen]\nfeatures = ["checkpoint"]\n')
    assert run("build") == 0
    (real / "old").mkdir()
    for name, text in FILES.items():
        (real / f"old/{name}.pyi").write_text(text)
    before = _state(real)
    capsys.readouterr()
    assert run("rename", "heat.Slab.u", "temperature", "--dry-run") == 0
    shown = capsys.readouterr().out
    assert "--- schemas/heat.pyi\n+++ schemas/heat.pyi\n@@ " in shown
    assert "\n--- generated/heat.py\n+++ generated/heat.py\n@@ " in shown
    assert "\n+    temperature: donated[Field]  # codegen: was[u]\n" in shown
    assert _state(real) == before
    assert run("rename", "heat.Slab.u", "temperature") == 0
    assert "renamed heat.Slab.u to temperature: 1 file" in capsys.readouterr().err
    assert "    temperature: Field  # donated\n" in (real / "generated/heat.py").read_text()
    changed = {one for one, data in _state(real).items() if before.get(one) != data}
    declared = "generated/_runtime/checkpoint/declared/heat.py"
    manifest = "generated/.codegen-manifest"
    assert changed == {
        str(real / one) for one in ("schemas/heat.pyi", "generated/heat.py", declared, manifest)
    }
    assert run("check") == 0
    assert run("build") == 0
    assert capsys.readouterr().err.splitlines()[-1].startswith("up to date")
    assert run("rename", "parts.Part.w", "v") == 0  # on a path of `share`
    assert run("breaking", "--against", "old", "--kinds", "checkpoint") == 0
    (real / "generated/heat.py").write_text("edited")
    assert run("rename", "heat.Slab.temperature", "t") == 1
    told = capsys.readouterr().err
    assert "EDITED_OUTPUT" in told
    assert "run `codegen rename`" in told


def test_nothing_changes_if_a_file_cannot_be_written(
    run: Run, capsys: Capture, real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("build") == 0
    before = _state(real)

    def full(_: object, folder: str) -> None:
        raise OSError(28, "No space left on device", folder)

    monkeypatch.setattr(transaction, "apply", full)
    assert run("rename", "grids.Grid", "Mesh") == 2
    assert "No space left on device" in capsys.readouterr().err
    assert _state(real) == before
    (real / "schemas/grids.pyi").rename(real / "grids.pyi")
    (real / "schemas/grids.pyi").symlink_to("../grids.pyi")
    assert run("rename", "grids.Grid", "Mesh") == 2


# Kills the process at the first call of `os.replace` after some calls.
_KILLED = """\
import os, signal, sys
from codegen.cli.main import main
calls, replace = int(sys.argv[1]), os.replace
def counted(source, target):
    global calls
    if not calls:
        os.kill(os.getpid(), signal.SIGKILL)
    calls -= 1
    replace(source, target)
os.replace = counted
sys.exit(main(["rename", "grids.Grid", "Mesh"]))
"""


def test_next_rename_finishes_one_that_was_killed(run: Run, capsys: Capture, real: Path) -> None:
    assert run("build") == 0
    before = _state(real)
    assert run("rename", "grids.Grid", "Mesh") == 0
    after = _state(real)
    for calls in (0, 2, 4):  # before the journal, before the second schema, and in the output
        for path in _state(real):
            os.unlink(path)
        for path, data in before.items():
            Path(path).write_bytes(data)
        killed = subprocess.run(
            [sys.executable, "-c", _KILLED, str(calls)], check=False, timeout=60
        )
        assert killed.returncode == -signal.SIGKILL
        capsys.readouterr()
        if calls:
            assert run("build") == 2
            assert "a `codegen rename` was interrupted" in capsys.readouterr().err
            assert run("rename", "grids.Grid", "Mesh", "--dry-run") == 2
        else:
            assert len(_state(real)) == len(before) + 1
        assert run("rename", "grids.Grid", "Mesh") == 0
        assert _state(real) == after


def test_journal_of_a_stranger_is_refused(run: Run, capsys: Capture, real: Path) -> None:
    victim = real.parent / "victim.py"
    victim.write_text("mine")
    change = transaction.FileChange("../victim.py", b"mine", b"yours")
    own = transaction.FileChange("schemas/grids.pyi", b"another text", b"yours")
    (real / JOURNAL).write_bytes(msgspec.json.encode(Journal(("a.B", "C"), (own,))))
    assert run("rename", "grids.Grid", "Mesh") == 2
    assert "Finish the rename by hand, then delete `" in capsys.readouterr().err
    for data in (msgspec.json.encode(Journal(("a.B", "C"), (change,))), b"{}"):
        (real / JOURNAL).write_bytes(data)
        assert run("rename", "grids.Grid", "Mesh") == 2
        assert victim.read_text() == "mine"
