"""Test the GitHub action of action.yml. Its steps run in a clone of a pull request, as on GitHub."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from codegen.cli.init import SCHEMA
from tests.promises.project import CHECKOUT

ACTION = yaml.safe_load((CHECKOUT / "action.yml").read_text(encoding="utf-8"))
INPUTS = {name: about["default"] for name, about in ACTION["inputs"].items()}


class Runner:
    """A folder in which steps run, and the inputs of the event."""

    def __init__(self, folder: Path, base: str, inputs: dict[str, str]) -> None:
        self._folder = folder
        self._known = {
            "github.action_path": str(CHECKOUT),
            "github.event_name": "pull_request" if base else "push",
            "github.event.pull_request.base.sha": base,
            **{f"inputs.{name}": value for name, value in {**INPUTS, **inputs}.items()},
        }

    def run(self) -> dict[str, tuple[int, str]]:
        """Return the exit status of each executed step, and its output."""
        done: dict[str, tuple[int, str]] = {}
        for step in ACTION["runs"]["steps"]:
            condition = step.get("if", "success()")
            has_failed = any(status for status, _ in done.values())
            is_reached = not has_failed or "!cancelled()" in condition
            if is_reached and self._holds(condition):
                done[step["name"]] = self._run_step(step)
        return done

    def _holds(self, condition: str) -> bool:
        words = [
            word.strip() for word in condition.removeprefix("${{").removesuffix("}}").split("&&")
        ]
        return all(self._is_true(word) for word in words if not word.endswith("()"))

    def _is_true(self, word: str) -> bool:
        name, sign, value = re.fullmatch(r"([\w.-]+) ([!=]=) '(.*)'", word).groups()  # type: ignore[union-attr]
        return (self._known[name] == value) is (sign == "==")

    def _run_step(self, step: dict[str, Any]) -> tuple[int, str]:
        # Expressions in a script could inject code. Values in the environment are plain text.
        assert "${{" not in step["run"]
        environment = {name: self._expanded(value) for name, value in step.get("env", {}).items()}
        finished = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self._folder / self._expanded(step.get("working-directory", ".")),
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return finished.returncode, finished.stdout + finished.stderr

    def _expanded(self, text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: self._known[found[1]], text)


def _git(folder: Path, *words: str) -> str:
    settings = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    command = ["git", *settings, "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def pull_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str]:
    """A shallow clone in which a field was removed, and the base commit."""
    for name, text in (
        ("codegen", f'exec "{sys.executable}" -m codegen "$@"'),
        ("python", f'echo "$@" > "{tmp_path}/installed"'),
    ):
        command = tmp_path / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(f"#!/bin/sh\n{text}\n")
        command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    origin = tmp_path / "origin"
    schema = origin / "a project/schemas/heat.pyi"
    schema.parent.mkdir(parents=True)
    schema.write_text(SCHEMA)
    _git(origin, "init", "-q", "-b", "main")
    _git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    _git(origin, "add", "-A")
    _git(origin, "commit", "-qm", "base")
    base = _git(origin, "rev-parse", "HEAD")
    schema.write_text(SCHEMA.replace("    time: dynamic[f32] = 0.0  # [s]\n", ""))
    subprocess.run(["codegen", "-q", "build"], cwd=origin / "a project", check=True)
    _git(origin, "add", "-A")
    _git(origin, "commit", "-qm", "change")
    clone = tmp_path / "clone"
    _git(tmp_path, "clone", "-q", "--depth=1", origin.as_uri(), str(clone))
    return clone, base


def test_pull_request_with_a_breaking_change_is_annotated(
    pull_request: tuple[Path, str], tmp_path: Path
) -> None:
    clone, base = pull_request
    inputs = {"working-directory": "a project"}
    done = Runner(clone, base, inputs).run()
    assert {name: status for name, (status, _) in done.items()} == {
        "codegen": 0,
        "codegen check": 0,
        "codegen lint": 0,
        "codegen breaking": 1,
    }
    # The annotation is on the line of the class that lost the field.
    said = done["codegen breaking"][1]
    assert re.search(r"^::error .*file=.*schemas/heat.pyi,.*FIELD_REMOVED", said, re.MULTILINE)
    assert not (tmp_path / "installed").exists()
    done = Runner(clone, base, {**inputs, "kinds": "checkpoint", "lint": "false"}).run()
    assert [*done] == ["codegen", "codegen check", "codegen breaking"]


def test_push_with_stale_output_fails_and_runs_all_steps(pull_request: tuple[Path, str]) -> None:
    """Each step runs and reports, whatever an earlier step found."""
    clone, _ = pull_request
    schema = clone / "a project/schemas/heat.pyi"
    schema.write_text(schema.read_text().replace("0.01", "0.02"))
    done = Runner(clone, "", {"working-directory": "a project"}).run()
    assert {name: status for name, (status, _) in done.items()} == {
        "codegen": 0,
        "codegen check": 1,
        "codegen lint": 0,
    }
    assert "::error " in done["codegen check"][1]
    assert "STALE_OUTPUT" in done["codegen check"][1]


def test_action_installs_codegen_if_missing(pull_request: tuple[Path, str], tmp_path: Path) -> None:
    clone, base = pull_request
    (tmp_path / "bin/codegen").unlink()
    assert Runner(clone, base, {}).run()["codegen"][0] == 0
    assert (tmp_path / "installed").read_text() == f"-I -m pip install --quiet {CHECKOUT}\n"


def test_folder_disguised_as_a_repository_is_not_used(
    pull_request: tuple[Path, str], tmp_path: Path
) -> None:
    """A pull request may turn its project into a bare repository, whose settings name a program."""
    clone, base = pull_request
    project, marker = clone / "a project", tmp_path / "marker"
    for path, text in {
        "HEAD": "ref: refs/heads/main\n",
        "objects/kept": "",
        "refs/kept": "",
        "config": f"[core]\nbare = true\n[protocol.ext]\nallow = always\n[remote.origin]\n"
        f'url = "ext::sh -c touch% {marker}"\n',
    }.items():
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(text)
    fetch = ["git", "fetch", "origin", base]
    assert subprocess.run(fetch, cwd=project, capture_output=True, check=False).returncode
    assert marker.exists()
    marker.unlink()
    done = Runner(clone, base, {"working-directory": "a project"}).run()
    assert not marker.exists()
    status, said = done["codegen breaking"]
    assert status == 128
    assert "cannot use bare repository" in said


def test_python_imports_nothing_from_the_checkout(tmp_path: Path) -> None:
    """A pull request may contain a folder with the name of a Python module."""
    (tmp_path / "platform").mkdir()
    (tmp_path / "platform/__init__.py").write_text("")
    (tmp_path / "platform/__main__.py").write_text("print('planted')\n")
    modules = re.findall(r"python(.*?) -m (\w+)", (CHECKOUT / "action.yml").read_text())
    assert modules == [(" -I", "pip")]
    for options, planted in ((["-I"], False), ([], True)):
        done = subprocess.run(
            [sys.executable, *options, "-m", "platform"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert (done.stdout == "planted\n") is planted
