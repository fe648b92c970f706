"""Test `[tool.codegen]` in pyproject.toml."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Capture, Run


def test_settings_are_relative_to_their_file(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.codegen]\nroot = "schemas/plants"\nout = "gen"\n'
    )
    (project / "deep/er").mkdir(parents=True)
    monkeypatch.chdir(project / "deep/er")
    assert run("build") == 0
    assert (project / "gen/boiler.py").exists()
    (project / "schemas/plants/boiler.pyi").write_text("wrong\n")
    capsys.readouterr()
    assert run("build", "--output-format", "concise") == 1
    assert capsys.readouterr().err.startswith("../../schemas/plants/boiler.pyi:1:1: ")


def test_arguments_override_settings(run: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.codegen]\nroot = "none"\nout = "gen"\n')
    assert run("build", "schemas/plants", "--out", "other") == 0
    assert (project / "other/boiler.py").exists()
    assert not (project / "gen").exists()


BY_DEFAULT = "the default, because neither ROOT nor `root` in [tool.codegen] is given"


@pytest.mark.parametrize("words", [("build",), ("check",), ("lint",), ("show", "--stage", "view")])
@pytest.mark.parametrize(
    ("root", "folder", "message"),
    [
        ("", ".", f"`schemas` does not exist ({BY_DEFAULT}); run `codegen init` to create"),
        (
            "",
            "deep",
            f"`../schemas` does not exist ({BY_DEFAULT}); run `codegen init ..` to create",
        ),
        (
            'root = "a"',
            ".",
            "`a` does not exist (from `root` in [tool.codegen] of pyproject.toml); run `codegen init` "
            "to create a first schema",
        ),
        (
            'root = "a"',
            "deep",
            "`../a` does not exist (from `root` in [tool.codegen] of ../pyproject.toml); run "
            "`codegen init ..` to create",
        ),
        (
            'root = "file"',
            ".",
            "`file` is not a folder (from `root` in [tool.codegen] of pyproject.toml)",
        ),
        ('root = "deep"', ".", "in `deep` (from `root` in [tool.codegen] of pyproject.toml)"),
    ],
)
def test_missing_schema_folder_is_an_error_that_names_its_source(
    run: Run,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    words: tuple[str, ...],
    root: str,
    folder: str,
    message: str,
) -> None:
    (project / "schemas").rename(project / "stubs")
    (project / "pyproject.toml").write_text(f"[tool.codegen]\n{root}\n")
    (project / "file").touch()
    (project / "deep").mkdir()
    monkeypatch.chdir(project / folder)
    assert run(*words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[tool.ruff]\n", "# codegen\n[tool.ruff]\n"])
def test_defaults_without_table_are_relative_to_the_current_folder(
    run: Run, project: Path, text: str
) -> None:
    (project.parent / "pyproject.toml").write_text(text)
    assert run("build") == 0
    assert (project / "generated/heat.py").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('roots = "schemas"', "error[UNKNOWN_SETTING]: `roots` is not a setting of codegen"),
        ('"roots" = "schemas"', "did you mean `root`?"),
        ("roots.a = 1", "pyproject.toml:3:1"),
        (
            "keep_module = true",
            "`keep_module` was removed: a class has the module that defines it, so pickles of the class "
            "that it replaces do not load. Remove it",
        ),
        ("zzz = 1", "write one of root, out, select, ignore, checks"),
        ('checks = "yes"', "error[BAD_SETTING]: `checks` is 'yes', but must be true or false"),
        ('runtime = "copied"', "error[BAD_SETTING]: `runtime` is 'copied', but must be"),
        (
            'features = ["shared"]',
            "remove `features`, which is no longer needed: the run time has every part",
        ),
        (
            'registration = "jax"',
            "error[UNKNOWN_SETTING]: `registration` is not a setting of codegen",
        ),
        (
            'registration = "exact"',
            "`registration` was removed: every class has the exact registration",
        ),
        ("out = 3", "write a folder name"),
        ('root = ""', "error[BAD_SETTING]"),
        (r'out = "a\u0000b"', "error[BAD_SETTING]"),
        ('select = "A"', "write a list of codes"),
        ("ignore = [1]", "write a list of codes"),
    ],
)
def test_invalid_setting_is_an_error(
    run: Run, capsys: Capture, project: Path, line: str, message: str
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.codegen]\n# settings\n{line}\n")
    assert run("build") == 2
    streams = capsys.readouterr()
    assert message in streams.err
    assert streams.out == ""


def test_invalid_setting_in_json_marks_a_failed_run(
    run: Run, capsys: Capture, project: Path
) -> None:
    (project / "pyproject.toml").write_text("[tool.codegen]\nout = 3\n")
    assert run("build", "--output-format", "json") == 2
    found = json.loads(capsys.readouterr().out)
    assert [one["code"] for one in found["diagnostics"]] == ["BAD_SETTING"]
    assert found["error"] == "the settings of codegen have errors"


@pytest.mark.parametrize("text", ["[tool.codegen", "tool.codegen = 1\n", "tool = 1 # codegen\n"])
def test_invalid_pyproject_is_an_error(run: Run, capsys: Capture, project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text)
    assert run("build") == 2
    assert "pyproject.toml" in capsys.readouterr().err


OUTSIDE = ["../other", "a/../../x", "/tmp", "gen/../../project-2", "way/out"]


@pytest.mark.parametrize("folder", OUTSIDE)
@pytest.mark.parametrize("name", ["out", "root"])
def test_folder_settings_outside_the_project_are_an_error(
    run: Run, project: Path, capsys: Capture, name: str, folder: str
) -> None:
    (project / "way").symlink_to(project.parent)
    (project / "pyproject.toml").write_text(f'[tool.codegen]\n{name} = "{folder}"\n')
    for verb in ("build", "check", "lint"):
        assert run(verb) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"error[BAD_SETTING]: `{name}` is `{folder}`, which is outside ")
        assert "pyproject.toml:2:" in told
        assert "on the command line" in told
    assert [path.name for path in project.parent.iterdir()] == [project.name]


def test_folder_argument_may_be_outside_the_project(
    run: Run, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (project / "pyproject.toml").write_text('[tool.codegen]\nout = "../other"\n')
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "gen"
    assert run("build", "schemas/plants", "--out", str(elsewhere)) == 0
    assert (elsewhere / "boiler.py").exists()


def test_schema_setting_may_be_in_the_surrounding_work_tree(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = project / "packages" / "inner"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").write_text('[tool.codegen]\nroot = "../../schemas/plants"\n')
    monkeypatch.chdir(inner)
    assert run("build") == 2
    (project / ".git").mkdir()
    assert run("build") == 0
    assert (inner / "generated/boiler.py").exists()
