"""An incremental build gives the same output as a full build, and recompiles only affected modules."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen import pipeline
from codegen.cli.main import main
from codegen.options import Options
from codegen.output.manifest import checksum
from codegen.pipeline import CompileResult, File, ModuleOutput
from tests.inputs import examples
from tests.promises.project import texts

_HEAD = "from codegen.schema import Dim, donated, dynamic, f32, impl, static\n"
_CALLED = "@impl('m:f')\ndef step(one: dynamic[{0}]) -> {0}: ...\n"

# The variants of each module; "" if it does not exist. The modules depend on each other in different ways.
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
        _HEAD + "from .ball import Ball\nclass Box(draft=True):\n    ball: donated[Ball]\n",
        _HEAD + "from .skins import skin\nclass Box:\n    n: static[int]\n",
        _HEAD + "from .ball import Ball\n" + _CALLED.format("Ball"),
    ),
    "ring": (
        _HEAD + "from .chain import Chain\nclass Ring:\n    next: dynamic[Chain | None] = None\n",
        _HEAD + "class Ring:\n    u: donated[f32]\n",
        _HEAD + "class Ring:  # codegen: was[old:Loop]\n    u: donated[f32]\n",
        _HEAD + "class Ring:\n    nx: int\n",
    ),
    "chain": (
        _HEAD + "from .ring import Ring\nclass Chain:\n    ring: dynamic[Ring | None] = None\n",
        _HEAD
        + "from .ring import Ring\nclass Chain:\n    n: static[int]\n"
        + _CALLED.format("Ring"),
        _HEAD + "from schemas.steel import Steel\nclass Chain:\n    s: static[Steel]\n",
        _HEAD + "class Chain:  # codegen: was[old:Loop, steel:Steel]\n    n: static[int] = 3\n",
    ),
    "steel": ("", _HEAD + "class Steel:\n    rho: static[float] = 7850.0\n", "x = )"),
}
SETTINGS = ("", "features = ['checkpoint']", "registration = 'jax'", "keep_module = true")


def _none(_: Path) -> None:
    pass


def _flip(path: Path) -> None:
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _fill(path: Path) -> None:
    path.write_bytes(os.urandom(1000))


# Possible damage of a file in the cache or in the output.
DAMAGES: tuple[Callable[[Path], object], ...] = (_none, _none, _flip, _truncate, _fill, Path.unlink)
EDITS: tuple[Callable[[Path], object], ...] = (_none, _none, _flip, Path.unlink)

# A step changes few modules, so others can be reused.
_CHANGES = st.dictionaries(st.sampled_from(sorted(VARIANTS)), st.integers(0, 4), max_size=2)
_STEPS = st.lists(
    st.tuples(
        _CHANGES,
        st.sampled_from((*[SETTINGS[0]] * 5, *SETTINGS[1:])),
        st.sampled_from(DAMAGES),
        st.sampled_from(EDITS),
    ),
    min_size=3,
    max_size=6,
)


def _write(state: Mapping[str, str]) -> None:
    for name, text in state.items():
        path = Path("schemas", f"{name.replace('.', '/')}.pyi")
        path.parent.mkdir(parents=True, exist_ok=True)
        if text:
            path.write_text(text, encoding="utf-8")
        else:
            path.unlink(missing_ok=True)


def _first(folder: Path, pattern: str) -> Path | None:
    return next((path for path in sorted(folder.rglob(pattern)) if path.stat().st_size), None)


def _edit(edit: Callable[[Path], object]) -> None:
    """Edit an output file by hand, and revert the edit after a build has refused it."""
    module = _first(Path("generated"), "[!_]*.py")
    if module is None:
        return
    before = module.read_bytes()
    edit(module)
    edited = module.read_bytes() if module.exists() else before
    if edited != before:
        assert main(["-q", "build"]) == 1
        assert module.read_bytes() == edited
        module.write_bytes(before)


@settings(
    max_examples=examples(12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=_STEPS)
def test_incremental_build_equals_full_build(
    steps: Sequence[tuple[Mapping[str, int], str, Any, Any]],
    empty: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("schemas", "generated", "fresh", "../cache"):
        shutil.rmtree(folder, ignore_errors=True)
    _write(_state())
    for changes, table, damage, edit in steps:
        _write({name: VARIANTS[name][at % len(VARIANTS[name])] for name, at in changes.items()})
        Path("pyproject.toml").write_text(f"[tool.codegen]\n{table}\n")
        cached = _first(tmp_path / "cache", "*.modules")
        damage(cached) if cached else None
        _edit(edit)
        capsys.readouterr()
        command = ["--output-format", "concise", "-q", "build", "--out"]
        status = main([*command, "generated"])
        found = capsys.readouterr()
        shutil.rmtree("fresh", ignore_errors=True)
        assert main([*command, "fresh", "--no-cache"]) == status
        assert capsys.readouterr() == found
        if not status:
            assert texts(Path("generated")) == texts(Path("fresh"))


Compiled = list[tuple[set[str], set[str]]]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """The modules that each compilation received, and those that it reused."""
    seen: Compiled = []
    compile = pipeline.compile

    def noted(
        files: Sequence[File],
        options: Options,
        is_there: Any,
        known: Mapping[str, ModuleOutput] | None = None,
    ) -> CompileResult:
        seen.append(({module for _, module, _ in files}, {*(known or {})}))
        return compile(files, options, is_there, known)

    monkeypatch.setattr(pipeline, "compile", noted)
    return seen


def _state(**changed: str) -> dict[str, str]:
    return {name: texts[0] for name, texts in VARIANTS.items()} | changed


SHAPES = {"shape", "ball", "skins.skin", "box"}
ALL = {*SHAPES, "ring", "chain"}


def test_changed_module_is_compiled_with_its_group(empty: Path, compiled: Compiled) -> None:
    _write(_state())
    assert main(["-q", "build"]) == 0
    assert main(["-q", "build"]) == 0
    assert compiled == [(ALL, set())]
    _write(_state(ball=VARIANTS["ball"][0].replace("float", "int")))
    assert main(["-q", "build"]) == 0
    assert compiled.pop() == (SHAPES, {"ring", "chain"})
    Path("generated/ring.py").unlink()
    assert main(["-q", "build"]) == 0
    assert compiled.pop() == ({"ring", "chain"}, {*SHAPES, "chain"})
    # A new module may resolve an import of another one.
    _write(_state(steel=VARIANTS["steel"][1]))
    assert main(["-q", "build"]) == 0
    assert compiled.pop() == ({*ALL, "steel"}, set())
    assert len(compiled) == 1


def test_error_message_suggests_names_of_unchanged_modules(
    empty: Path, compiled: Compiled, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(_state(steel=VARIANTS["steel"][1]))
    assert main(["-q", "build"]) == 0
    _write({"ring": _HEAD + "from .stel import Steel\nclass Ring:\n    s: static[Steel]\n"})
    assert main(["-q", "build"]) == 1
    assert "did you mean `.steel`?" in capsys.readouterr().err
    assert compiled[-1] == ({*ALL, "steel"}, set())


def test_modules_with_the_same_former_name_are_compiled_together(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = dict.fromkeys(VARIANTS, "")
    _write(alone | {"ring": VARIANTS["ring"][2], "chain": VARIANTS["chain"][0]})
    _write({"chain": _HEAD + "class Chain:\n    n: static[int] = 3\n"})
    assert main(["-q", "build"]) == 0
    _write({"chain": VARIANTS["chain"][3]})
    assert main(["-q", "build"]) == 1
    assert "both have the former name `old:Loop`" in capsys.readouterr().err


def test_module_depends_on_modules_that_import_it(empty: Path) -> None:
    """A function flattens its arguments inline, so it depends on the layout of their classes."""
    _write({"ring": VARIANTS["ring"][1], "chain": VARIANTS["chain"][0]})
    assert main(["-q", "build"]) == 0
    before = Path("generated/ring.py").read_text()
    _write({"chain": VARIANTS["chain"][1]})
    assert main(["-q", "build"]) == 0
    assert Path("generated/ring.py").read_text() != before
    assert main(["-q", "build", "--no-cache", "--out", "fresh"]) == 0
    assert texts(Path("generated")) == texts(Path("fresh"))


def test_manipulated_cache_does_not_change_the_output(empty: Path, tmp_path: Path) -> None:
    _write(_state())
    assert main(["-q", "build"]) == 0
    wanted = texts(Path("generated"))
    (cached,) = (tmp_path / "cache").rglob("*.modules")
    known = cached.read_bytes()
    content = known.partition(b"\n")[2]

    def sealed(changed: bytes) -> bytes:
        return checksum(changed).encode() + b"\n" + changed

    for data in (
        sealed(content.replace(b"ball.py", b"bell.py")),
        sealed(content.replace(b"ball.py", b"../../ball.py")),
        sealed(content.replace(checksum(wanted["ball.py"]).encode(), b"0" * 32)),
        sealed(b"{}"),
        sealed(b'{"made": {"x": []}}'),
        known.replace(b"keys", b"kees"),
        b"",
    ):
        for path in ("ball.py", "_runtime/keys/interning.py"):
            Path("generated", path).unlink()
            cached.write_bytes(data)
            assert main(["-q", "build"]) == 0
            assert texts(Path("generated")) == wanted
        edited = Path("generated", "ball.py")
        edited.write_bytes(wanted["ball.py"] + b"x = 1\n")
        cached.write_bytes(data)
        assert main(["-q", "build"]) == 1
        edited.write_bytes(wanted["ball.py"])
