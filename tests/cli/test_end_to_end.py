"""End-to-end tests with the real stages, in separate processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `codegen` is imported from the checkout."""
    return os.environ | {
        "PYTHONPATH": str(CHECKOUT),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONHASHSEED": "random",
    }


@pytest.fixture
def project(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A folder after `codegen init`."""
    folder = tmp_path / "project"
    _run("codegen", "init", str(folder), environment=environment, folder=tmp_path)
    return folder


def _run(*words: str, environment: dict[str, str], folder: Path) -> str:
    """Run a module and return its standard output. A status other than 0 fails the test."""
    finished = subprocess.run(
        [sys.executable, "-m", *words],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def test_build_imports_only_required_modules(project: Path, environment: dict[str, str]) -> None:
    # A TOML parser is loaded only if there are settings.
    (project / "pyproject.toml").unlink()
    # Modules that Python itself loads depend on the installation, so they are excluded.
    script = (
        "import sys; before = {*sys.modules}; from codegen.cli.main import main; "
        "assert main(['build']) == 0; print(*{*sys.modules} - before)"
    )
    never = {"jax", "numpy", "rich"}
    late = {"jinja2", "codegen.pipeline"}
    for heavy in (never, never | late):
        finished = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            cwd=project,
            capture_output=True,
            text=True,
            check=True,
        )
        assert heavy.isdisjoint(finished.stdout.split())


def _bytes(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_caret_position_under_character_missing_in_terminal_encoding(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "schemas").mkdir()
    text = 'from codegen.schema import static\n\nclass A:\n    x: static[str] = "größe"; y: int\n'
    (tmp_path / "schemas" / "a.pyi").write_text(text, encoding="utf-8")
    finished = subprocess.run(
        [sys.executable, "-m", "codegen", "build"],
        env=environment | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        cwd=tmp_path,
        capture_output=True,
        encoding="ascii",
        check=False,
    )
    assert finished.returncode == 1
    lines = finished.stderr.splitlines()
    shown = next(line for line in lines if "y: int" in line)
    assert shown == r'4 |     x: static[str] = "gr\xf6\xdfe"; y: int'
    assert lines[lines.index(shown) + 1].index("^^^") == shown.index("int")


def test_checks_setting_is_part_of_the_output(project: Path, environment: dict[str, str]) -> None:
    with (project / "schemas" / "example.pyi").open("a", encoding="utf-8") as schema:
        schema.write('\n@impl("heat:step")\ndef step(plate: donated[Plate]) -> Plate: ...\n')
        schema.write("\nfrom codegen.schema import impl\n")
    pyproject = project / "pyproject.toml"
    text = pyproject.read_text(encoding="utf-8")
    for value in ("false", "true", "false"):
        setting = f"[tool.codegen]\nchecks = {value}\n"
        pyproject.write_text(text.replace("[tool.codegen]\n", setting, 1), encoding="utf-8")
        checking = [sys.executable, "-m", "codegen", "check"]
        if value == "true":
            stale = subprocess.run(
                checking, env=environment, cwd=project, capture_output=True, text=True, check=False
            )
            assert stale.returncode == 1
            assert "example.py" in stale.stdout + stale.stderr
        _run("codegen", "build", environment=environment, folder=project)
        subprocess.run(checking, env=environment, cwd=project, check=True, capture_output=True)
        module = (project / "generated" / "example.py").read_text(encoding="utf-8")
        assert ("checks=False" in module) is (value == "false")


def test_run_time_is_copied_and_removed_again(project: Path, environment: dict[str, str]) -> None:
    """Each switch gives the bytes that a project has that never had another setting."""
    pyproject = project / "pyproject.toml"
    text = pyproject.read_text(encoding="utf-8")
    out = project / "generated"
    found: list[dict[str, bytes]] = [_bytes(out)]
    for runtime in ("vendored", "package", "vendored", "package"):
        setting = f'[tool.codegen]\nruntime = "{runtime}"\n'
        pyproject.write_text(text.replace("[tool.codegen]\n", setting, 1), encoding="utf-8")
        _run("codegen", "build", environment=environment, folder=project)
        _run("codegen", "check", environment=environment, folder=project)
        assert (out / "_runtime").exists() is (runtime == "vendored")
        found.append(_bytes(out))
    assert found[0] == found[2] == found[4]
    assert found[1] == found[3]
