"""Test `codegen rename --code`: which places of Python code change, and which are listed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]

SCHEMA = """\
from enum import Enum
from codegen.schema import Dim, donated, dynamic, f32, impl, static
n = Dim()
class Scheme(Enum):
    EXPLICIT = "explicit"
class Grid:
    n: static[int]
class Plate(draft=True):
    u: donated[f32[n]]
    grid: static[Grid]
    scheme: static[Scheme] = Scheme.EXPLICIT
    @impl("app.model:scaled")
    def scaled(self, u: f32) -> f32: ...
class Slab(Plate): ...
class Rod:
    v: dynamic[f32[n]]
@impl("app.model:step")
def step(u: donated[Plate]) -> Plate: ...
"""
SETTINGS = """\
[tool.codegen]
out = "app/generated"
[[tool.mypy.overrides]]
module = ["jax.*", "jaxtyping.*"]
follow_imports = "skip"
[[tool.mypy.overrides]]
module = ["numpy.*"]
follow_imports = "skip"
follow_imports_for_stubs = true
"""
EXPORTS = """\
from app.generated.heat import Plate as Plate, Plate as P, step  # the API
__all__ = ["Plate", "P", "step"]
"""
MODEL = '''\
"""Uses of u."""
from __future__ import annotations
import dataclasses
from typing import Any
import app.generated.heat
from app import Plate, P as Q
from app.generated import heat
from .generated.heat import Grid, Rod, Scheme, Slab

class Other:
    u = 1
    n = 2

class Mine(Slab):
    def both(self) -> Any:
        return self.u + self.u  # u
    def scaled(self, u: Any) -> Any: ...
    @classmethod
    def make(cls) -> Any:
        return cls(u=1, grid=Grid(2)), f"u={cls(1, Grid(2)).u:{1}} u"

def step(plate: Plate, other: Other, text: "Plate | None" = None) -> heat.Plate:
    é = "é"; u = plate.u; u = other.u
    plate = plate.replace(u=(u), scheme=Scheme.EXPLICIT)
    draft = plate.draft(); draft.u = u
    abstract = Plate.abstract(grid=Grid(n=3)), Rod.abstract(n=3)
    made = heat.Plate(u=u, grid=plate.grid), app.generated.heat.Plate, Q
    plate.scaled(u=u); dict(u=u); heat.step(u=plate); other.n
    either = plate if u else other
    getattr(plate, "u"), "plate.u", either.u
    return made, plate.grid.n, [p.u for p in (plate, plate)]

def unknown(some):
    one = Slab(1, Grid(2))
    some.u, some(u=1), dataclasses.replace(one, u=2)
    match some:
        case Plate(u=1):
            return Scheme.EXPLICIT

def shadow(Plate: int, Scheme: int) -> int:
    return Plate
'''
MORE = """\
import jax.numpy as jnp
from app.generated.heat import *
class Own(Slab):
    def __new__(cls, u):
        return super().__new__(cls, **dict(u=u))
def forward(**fields):
    forward(u=1)
    def inner(**fields): ...
    inner(u=2)
    return Own(u=1), jnp.scaled
"app.generated.heat:Plate", Plate
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for all tests, because the first run of mypy is slow."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path, run: Run) -> Path:
    """The current folder: a project with its output, and a package that uses it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schemas").mkdir()
    (tmp_path / "app").mkdir()
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "schemas/heat.pyi").write_text(SCHEMA)
    (tmp_path / "app/__init__.py").write_text(EXPORTS)
    (tmp_path / "app/model.py").write_text(MODEL)
    (tmp_path / "app/more.py").write_text(MORE)
    assert run("build", "-q") == 0
    return tmp_path


def _changed(folder: Path) -> list[str]:
    """Return the changed lines of the code, without their indentation."""
    assert (folder / "app/more.py").read_text() == MORE
    pairs = ((EXPORTS, folder / "app/__init__.py"), (MODEL, folder / "app/model.py"))
    return [
        now.strip()
        for before, path in pairs
        for old, now in zip(before.splitlines(), path.read_text().splitlines(), strict=True)
        if old != now
    ]


def _notes(told: str) -> list[str]:
    lines = [line.removeprefix("app/") for line in told.splitlines()]
    return [line.replace("not changed, because ", "") for line in lines if "not changed" in line]


CASES = {
    ("heat.Plate.u", "t"): (
        [
            "return self.t + self.t  # u",
            'return cls(t=1, grid=Grid(2)), f"u={cls(1, Grid(2)).t:{1}} u"',
            'é = "é"; u = plate.t; u = other.u',
            "plate = plate.replace(t=(u), scheme=Scheme.EXPLICIT)",
            "draft = plate.draft(); draft.t = u",
            "made = heat.Plate(t=u, grid=plate.grid), app.generated.heat.Plate, Q",
            "return made, plate.grid.n, [p.t for p in (plate, plate)]",
            "some.u, some(u=1), dataclasses.replace(one, t=2)",
        ],
        [
            "model.py:28: the call may pass it on under this name: plate.scaled(u=u); dict(u=u);"
            " heat.step(u=plate); other.n",
            'model.py:30: it is text: getattr(plate, "u"), "plate.u", either.u',
            'model.py:30: mypy does not know its type: getattr(plate, "u"), "plate.u", either.u',
            "model.py:35: mypy does not know its type: some.u, some(u=1), dataclasses.replace(one, u=2)",
            "model.py:35: the call may pass it on under this name: some.u, some(u=1),"
            " dataclasses.replace(one, u=2)",
            "model.py:37: it is in a pattern: case Plate(u=1):",
            "more.py:5: the call may pass it on under this name: return super().__new__(cls, **dict(u=u))",
            "more.py:7: the call may pass it on under this name: forward(u=1)",
            "more.py:9: the call may pass it on under this name: inner(u=2)",
        ],
    ),
    ("heat.Plate", "Board"): (
        [
            "from app.generated.heat import Board as Board, Board as P, step  # the API",
            '__all__ = ["Board", "P", "step"]',
            "from app import Board, P as Q",
            'def step(plate: Board, other: Other, text: "Plate | None" = None) -> heat.Board:',
            "abstract = Board.abstract(grid=Grid(n=3)), Rod.abstract(n=3)",
            "made = heat.Board(u=u, grid=plate.grid), app.generated.heat.Board, Q",
            "case Board(u=1):",
        ],
        [
            'model.py:22: it is text: def step(plate: Plate, other: Other, text: "Plate | None" = None)'
            " -> heat.Plate:",
            'more.py:11: it is text: "app.generated.heat:Plate", Plate',
            'more.py:11: `import *` may have bound it: "app.generated.heat:Plate", Plate',
        ],
    ),
    ("heat.n", "cells"): (
        [
            "abstract = Plate.abstract(grid=Grid(cells=3)), Rod.abstract(cells=3)",
            "return made, plate.grid.cells, [p.u for p in (plate, plate)]",
        ],
        [],
    ),
    ("heat.Scheme.EXPLICIT", "FORWARD"): (
        [
            "plate = plate.replace(u=(u), scheme=Scheme.FORWARD)",
            "return Scheme.FORWARD",
        ],
        [],
    ),
    ("heat.step", "advance"): (
        [
            "from app.generated.heat import Plate as Plate, Plate as P, advance  # the API",
            '__all__ = ["Plate", "P", "advance"]',
            "plate.scaled(u=u); dict(u=u); heat.advance(u=plate); other.n",
        ],
        [],
    ),
    ("heat.Plate.scaled", "times"): (
        ["plate.times(u=u); dict(u=u); heat.step(u=plate); other.n"],
        ["model.py:14: it overrides the member: class Mine(Slab):"],
    ),
}


def test_changes_and_notes(run: Run, capsys: Capture, app: Path) -> None:
    for (path, new), (changes, notes) in CASES.items():
        (app / "app/__init__.py").write_text(EXPORTS)
        (app / "app/model.py").write_text(MODEL)
        (app / "schemas/heat.pyi").write_text(SCHEMA)
        assert run("build", "-q") == 0
        assert run("rename", path, new, "--code", "app") == 0
        assert _changed(app) == changes, path
        assert _notes(capsys.readouterr().err) == notes, path


def test_refusals_change_nothing(
    run: Run, capsys: Capture, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in app.rglob("*") if path.is_file()}

    def told(*words: str) -> tuple[int, str]:
        status = run("rename", *words)
        shown = capsys.readouterr()
        assert ("+++ app/model.py\n@@ " in shown.out) == ("--dry-run" in words)
        assert before == {path: path.read_bytes() for path in app.rglob("*") if path.is_file()}
        return status, shown.err

    assert told("heat.Plate.u", "t", "--code", "app", "--dry-run")[0] == 0
    status, text = told("heat.Plate", "Other", "--code", "app")
    assert (status, text.count("`Other` is already used here")) == (1, 2)
    status, text = told("heat.Plate.u", "both", "--code", "app")
    assert (status, text.count("`both` is already used here")) == (1, 1)
    assert told("heat.Plate", "Board", "--code", "..")[0] == 2
    assert told("heat.Plate", "Board", "--code", "nowhere")[0] == 2
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "libcst", None)
        patch.delitem(sys.modules, "codegen.cli.rename_code")
        patch.delitem(sys.modules, "codegen.rename.code")
        status, text = told("heat.Plate", "Board", "--code", "app")
    assert (status, "pip install 'pytree-codegen[rename]'" in text) == (2, True)
    (app / "app/other.py").write_text("from missing import Plate\n")
    assert run("rename", "heat.Plate", "Board", "--code", ".", "--dry-run") == 0
    line = "app/other.py:1: not changed, because mypy does not know its origin: from missing import"
    assert line in capsys.readouterr().err
    (app / "app/broken.py").write_text("from heat import (Plate\n")
    assert run("rename", "heat.Plate", "Board", "--code", "app") == 2
    assert "mypy cannot read the code: app/broken.py:1" in capsys.readouterr().err
    (app / "schemas/heat.pyi").write_text(SCHEMA + "m = Dim()\nclass New: ...\n")
    assert run("rename", "heat.Plate", "Board", "--code", "app") == 1
    assert "`app/generated` does not match the schemas" in capsys.readouterr().err
