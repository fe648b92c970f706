"""A build after another compiles what changed, and gives what a build from nothing gives."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from codegen import pipeline
from codegen.checksum import checksum
from codegen.cli import build, stages
from codegen.cli.main import main
from codegen.options import Options
from codegen.plan.nodes import Plan
from codegen.rendered.nodes import Made, Rendered
from tests.promises.project import texts

_HEAD = "from codegen.schema import Dim, donated, dynamic, f32, static\n"

# What each module may be; "" where it is not there. Each depends on others in a way of its own.
VARIANTS: Mapping[str, tuple[str, ...]] = {
    "shape": (
        _HEAD + "class Shape(abstract=True):\n    name: static[str]\n",
        _HEAD + "class Shape:\n    name: static[str]\n",
        _HEAD + "class Shape(abstract=True):\n    label: static[str] = 'x'\n",
        "",
    ),
    "ball": (
        _HEAD + "from .shape import Shape\nclass Ball(Shape):\n    r: static[float]\n",
        _HEAD + "from .shape import Shape\nclass Ball(Shape):\n    r: dynamic[f32]\n",
        _HEAD + "class Ball:\n    r: donated[f32]\n",
        "",
    ),
    "skins.skin": (
        _HEAD + "from ..ball import Ball\nclass Skin(Ball):\n    d: static[float]\n",
        _HEAD + "from ..shape import Shape\nclass Skin(Shape):\n    d: donated[f32]\n",
        "",
    ),
    "box": (
        _HEAD + "from .shape import Shape\nclass Box:\n    shape: static[Shape]\n",
        _HEAD + "from .shape import Shape as S\nclass Box:\n    shape: dynamic[S]\n",
        _HEAD + "from .skins import skin\nclass Box:\n    n: static[int]\n",
        _HEAD + "from codegen.schema import impl\nfrom .ball import Ball\n"
        "@impl('m:f')\ndef step(b: dynamic[Ball]) -> Ball: ...\n",
    ),
    "ring": (
        _HEAD + "from .chain import Chain\nclass Ring:\n    next: dynamic[Chain | None] = None\n",
        _HEAD + "class Ring:\n    u: donated[f32]\n",
        _HEAD + "class Ring:\n    nx: int\n",
    ),
    "chain": (
        _HEAD + "from .ring import Ring\nclass Chain:\n    ring: dynamic[Ring | None] = None\n",
        _HEAD + "from schemas.steel import Steel\nclass Chain:\n    s: static[Steel]\n",
        _HEAD + "class Chain:\n    n: static[int] = 3\n",
    ),
    "steel": ("", _HEAD + "class Steel:\n    rho: static[float] = 7850.0\n", "x = )"),
}

_STATES = st.lists(
    st.fixed_dictionaries({name: st.sampled_from(texts) for name, texts in VARIANTS.items()}),
    min_size=2,
    max_size=4,
)


def _write(state: Mapping[str, str]) -> None:
    for name, text in state.items():
        path = Path("schemas", f"{name.replace('.', '/')}.pyi")
        path.parent.mkdir(parents=True, exist_ok=True)
        if text:
            path.write_text(text, encoding="utf-8")
        else:
            path.unlink(missing_ok=True)


@hypothesis.settings(
    max_examples=60, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@hypothesis.given(states=_STATES)
def test_a_build_after_another_is_one_from_nothing(
    states: Sequence[Mapping[str, str]],
    empty: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("schemas", "generated", "fresh", "../cache"):
        shutil.rmtree(folder, ignore_errors=True)
    for state in states:
        _write(state)
        command = ["--output-format", "concise", "-q", "build", "--out"]
        known = main([*command, "generated"])
        told = capsys.readouterr()
        shutil.rmtree("fresh", ignore_errors=True)
        assert known == main([*command, "fresh", "--no-cache"])
        assert told == capsys.readouterr()
        if not known:
            assert texts(Path("generated")) == texts(Path("fresh"))


Compiled = list[tuple[set[str], set[str]]]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """The modules that each compilation took, and those of them that were kept."""
    seen: Compiled = []
    compile = pipeline.compile

    def noted(
        files: Sequence[pipeline.File],
        options: Options,
        kept: Mapping[str, Made] | None = None,
    ) -> pipeline.Compiled:
        seen.append(({module for _, module, _ in files}, {*(kept or {})}))
        return compile(files, options, kept)

    monkeypatch.setattr(pipeline, "compile", noted)
    return seen


def _first(**changed: str) -> dict[str, str]:
    return {name: texts[0] for name, texts in VARIANTS.items()} | changed


ALL = {"shape", "ball", "skins.skin", "box", "ring", "chain"}
SHAPES = {"shape", "ball", "skins.skin", "box"}


def test_what_changed_is_compiled_with_what_it_needs(empty: Path, compiled: Compiled) -> None:
    _write(_first())
    assert main(["-q", "build"]) == 0
    assert main(["-q", "build"]) == 0
    assert compiled == [(ALL, set())]
    # One that nobody needs.
    _write(_first(steel=VARIANTS["steel"][1]))
    assert main(["-q", "build"]) == 0
    assert compiled.pop() == ({"steel"}, ALL)
    # An abstract class stands for its subclasses, two of which are changed by this.
    _write(_first(ball=VARIANTS["ball"][0].replace("float", "int")))
    assert main(["-q", "build"]) == 0
    assert compiled.pop() == (SHAPES, {"ring", "chain"})
    Path("generated/ring.py").unlink()
    assert main(["-q", "build"]) == 0
    assert compiled.pop() == ({"ring", "chain"}, {*SHAPES, "chain"})
    assert len(compiled) == 1


def test_a_mistake_is_looked_at_with_all_names(
    empty: Path, compiled: Compiled, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(_first(steel=VARIANTS["steel"][1]))
    assert main(["-q", "build"]) == 0
    _write({"ring": _HEAD + "from .stel import Steel\nclass Ring:\n    s: static[Steel]\n"})
    assert main(["-q", "build"]) == 1
    assert "did you mean `.steel`?" in capsys.readouterr().err
    assert compiled[-1] == ({*ALL, "steel"}, set())


def test_a_module_that_comes_may_be_what_another_took_for_an_outer_one(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(_first(chain=VARIANTS["chain"][1]))
    assert main(["-q", "build"]) == 0
    _write({"steel": VARIANTS["steel"][1]})
    assert main(["-q", "build"]) == 1
    said = "the schema module `steel` is imported through the folder `schemas`"
    assert said in capsys.readouterr().err


def test_what_the_folders_are_called_is_part_of_what_is_known(
    empty: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In its own folder `schemas` has no name that a schema could import another by."""
    _write(_first(chain=VARIANTS["chain"][1], steel=VARIANTS["steel"][1]))
    monkeypatch.chdir("schemas")
    assert main(["-q", "build", ".", "--out", "../generated"]) == 0
    monkeypatch.chdir(empty)
    assert main(["-q", "build"]) == 1
    assert "imported through the folder `schemas`" in capsys.readouterr().err


def test_what_vanishes_while_it_is_compared_is_written_anew(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(_first())
    assert main(["-q", "build"]) == 0
    wanted = texts(Path("generated"))
    compare = stages.compare

    def later(rendered: Sequence[Rendered], out: str, **words: Any) -> Plan:
        Path(out, "ring.py").unlink()
        return compare(rendered, out, **words)

    monkeypatch.setattr(build, "compare", later)
    Path("generated", "shape.py").unlink()
    assert main(["-q", "build"]) == 0
    assert texts(Path("generated")) == wanted


def test_what_is_known_is_not_believed_over_the_bytes(
    empty: Path, tmp_path: Path, compiled: Compiled
) -> None:
    _write(_first())
    assert main(["-q", "build"]) == 0
    wanted = texts(Path("generated"))
    (record,) = (tmp_path / "cache" / "pytree-codegen").glob("*.modules")
    known = record.read_bytes()
    lines = known.splitlines(keepends=True)
    sums = lines[0][:131]
    made = lines[0].split(b" ")[3]

    def told(old: bytes, new: bytes) -> bytes:
        """Lines that are sealed, and say something wrong."""
        wrong = [line[33:-1].replace(old, new, 1) for line in lines]
        return b"".join(b"%s %s\n" % (checksum(line).encode(), line) for line in wrong)

    damaged = [
        told(b" : ", b" : nothing "),
        told(b" shape", b""),
        told(b" shape :", b" : "),
        told(made, b"0" * 32),
        told(lines[0].split(b" ")[2], b"0" * 32),
        b"".join(lines[1:]),
        b"",
        b"\xff" + known,
        known.replace(b"closed", b"open"),
        known.replace(b"open", b"closed"),
        known.replace(b" shape", b""),
        known.replace(b" : ", b" : nothing "),
        known.replace(b" keys", b""),
        known.replace(b"\n", b" ../../x\n"),
        known[: len(known) // 2],
        b"".join(sums + line[131:] for line in lines),
        b"".join(reversed(lines)),
        os.urandom(1000),
    ]
    for data in damaged:
        for path in ("shape.py", "box.py", "_runtime/keys/interning.py"):
            Path("generated", path).unlink()
            record.write_bytes(data)
            assert main(["-q", "build"]) == 0
            assert texts(Path("generated")) == wanted
        # Hand edits are found whatever is known.
        edited = Path("generated", "ball.py")
        edited.write_bytes(wanted["ball.py"] + b"x = 1\n")
        record.write_bytes(data)
        assert main(["-q", "build"]) == 1
        edited.write_bytes(wanted["ball.py"])
