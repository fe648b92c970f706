"""Test `codegen.hook`, which builds modules when they are imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from codegen import hook
from codegen.cli.main import main

SCHEMA = '''"""Plates."""

from codegen.schema import dynamic, f32, static


class Plate:
    """A plate."""

    u: dynamic[f32] = 0.5  # [K]
    n: static[int] = 1
'''
Import = Callable[[str], ModuleType]


def _forget_modules() -> dict[str, ModuleType]:
    """Forget the imported modules of output folders."""
    names = [one for one in sys.modules if one.partition(".")[0] in ("generated", "made_here")]
    return {name: sys.modules.pop(name) for name in names}


@pytest.fixture
def imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Import]:
    """Import from the current folder, a project, and check at the end that nothing was printed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project = tmp_path / "project"
    (project / "schemas").mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept = _forget_modules()
    yield importlib.import_module
    _forget_modules()
    sys.modules.update(kept)
    assert capfd.readouterr() == ("", "")


def test_missing_or_stale_module_is_built(imported: Import) -> None:
    schema = Path("schemas/plates.pyi")
    schema.write_text(SCHEMA, encoding="utf-8")
    hook.install()
    plates = imported("generated.plates")
    assert plates.Plate().n == 1
    # Python's bytecode cache only compares the size and the time in seconds, which are equal here.
    for n in range(2, 6):
        schema.write_text(SCHEMA.replace("= 1", f"= {n}"), encoding="utf-8")
        assert importlib.reload(plates).Plate().n == n
    Path("generated/plates.py").unlink()
    assert importlib.reload(plates).Plate().n == 5
    assert main(["-q", "check"]) == 0
    Path("schemas/rods.pyi").write_text(SCHEMA.replace("Plate", "Rod"), encoding="utf-8")
    assert imported("generated.rods").Rod().n == 1


def test_schema_errors_are_raised_with_source_excerpts(imported: Import) -> None:
    schema = Path("schemas/plates.pyi")
    schema.write_text(SCHEMA.replace("static[int]", "statik[int]"), encoding="utf-8")
    hook.install()
    with pytest.raises(hook.SchemaError) as found:
        imported("generated.plates")
    assert " --> schemas/plates.pyi:10:8\n" in str(found.value)
    assert "    n: statik[int] = 1\n" in str(found.value)
    assert [one.code for one in found.value.report] == ["UNKNOWN_ROLE"]
    assert not Path("generated").exists()
    schema.write_text(SCHEMA, encoding="utf-8")
    plates = imported("generated.plates")
    edited = Path("generated/plates.py")
    edited.write_text(edited.read_text("utf-8") + "\nx = 1\n", encoding="utf-8")
    with pytest.raises(hook.SchemaError, match="EDITED_OUTPUT"):
        importlib.reload(plates)


def test_settings_are_those_of_the_folder_of_installation(
    imported: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Path("pyproject.toml")
    settings.write_text(
        '[tool.codegen]\nroot = "stubs"\nout = "src/made_here/classes"\n', encoding="utf-8"
    )
    Path("stubs").mkdir()
    Path("stubs/plates.pyi").write_text(SCHEMA, encoding="utf-8")
    Path("src/made_here").mkdir(parents=True)
    Path("src/made_here/__init__.py").touch()
    monkeypatch.syspath_prepend(str(Path("src").resolve()))
    hook.install()
    hook.install()
    assert sum(type(one).__module__ == "codegen.hook" for one in sys.meta_path) == 1
    monkeypatch.chdir(tmp_path)
    # A module that is not part of this project.
    with pytest.raises(ModuleNotFoundError):
        imported("generated.plates")
    assert imported("made_here.classes.plates").Plate().n == 1
    (tmp_path / "project" / settings).write_text("[tool.codegen]\nroots = 1\n", encoding="utf-8")
    with pytest.raises(hook.SchemaError, match="UNKNOWN_SETTING"):
        imported("made_here.classes.rods")


def test_project_without_schemas_is_an_error(imported: Import) -> None:
    Path("schemas").rmdir()
    hook.install()
    with pytest.raises(hook.SchemaError, match="the schema folder `schemas` does not exist"):
        imported("generated.plates")
