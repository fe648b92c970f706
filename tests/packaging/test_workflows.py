"""The workflows of GitHub cover the supported versions, and give away no permission. actionlint runs in ci.yml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import codegen

CHECKOUT = Path(__file__).parents[2]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((CHECKOUT / ".github/workflows").glob("*.yml"))


def _load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _jobs(name: str) -> dict[str, Any]:
    jobs: dict[str, Any] = _load(CHECKOUT / ".github/workflows" / f"{name}.yml")["jobs"]
    return jobs


def _pythons() -> list[str]:
    return re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))


def _bound(name: str) -> str:
    (bound,) = (
        one.removeprefix(name) for one in PROJECT["dependencies"] if one.startswith(f"{name}>")
    )
    return str(bound)


def test_ci_runs_with_every_declared_python_and_the_oldest_and_newest_jax() -> None:
    matrix = _jobs("ci")["all"]["strategy"]["matrix"]
    assert matrix["python"] == _pythons()
    assert PROJECT["requires-python"] == f">={_pythons()[0]}"
    assert matrix["jax"] == [_bound("jax").replace(">", "="), _bound("jax")]
    assert _bound("jaxlib") == _bound("jax")


def test_a_release_is_rehearsed_with_every_declared_python_before_it_is_published() -> None:
    jobs = _jobs("release")
    assert {*jobs["publish"]["needs"]} == {*jobs} - {"publish"}
    (rehearsal,) = (one["run"] for one in jobs["build"]["steps"] if "run" in one)
    expected = ["$GITHUB_REF_NAME", *(f"python{one}" for one in _pythons())]
    assert rehearsal.replace('"', "").split() == [".ci/rehearse", *expected]
    assert (CHECKOUT / ".ci/rehearse").stat().st_mode & 0o111


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_is_safe(path: Path) -> None:
    """Actions are pinned to commits, and no expression is pasted into a shell script."""
    workflow = _load(path)
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job.get("permissions", {}) == ({"id-token": "write"} if name == "publish" else {})
        for step in job.get("steps", ()):
            assert "${{" not in step.get("run", "")
            used = step.get("uses", "")
            pinned = r"[\w/-]+@[0-9a-f]{40}|docker://[\w/]+:\d+\.\d+\.\d+"
            assert not used or re.fullmatch(pinned, used)
            assert "checkout@" not in used or step["with"]["persist-credentials"] is False


def test_every_file_states_the_same_version() -> None:
    assert PROJECT["version"] == codegen.__version__
    assert _load(CHECKOUT / "CITATION.cff")["version"] == codegen.__version__
    text = (CHECKOUT / "docs/command-line.md").read_text(encoding="utf-8")
    assert f"OWNER/REPOSITORY@v{codegen.__version__} " in text
    changelog = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## {re.escape(codegen.__version__)}(?: - \d{{4}}-\d\d-\d\d)?$"
    assert re.search(heading, changelog, re.MULTILINE)


def test_bug_reports_ask_for_the_generated_code_and_the_versions() -> None:
    form = _load(CHECKOUT / ".github/ISSUE_TEMPLATE/bug.yml")["body"]
    required = {one.get("id") for one in form if one.get("validations", {}).get("required")}
    assert required == {"schema", "happened", "show", "versions"}
    texts = {one["id"]: one["attributes"].get("description", "") for one in form if "id" in one}
    assert "codegen show" in texts["show"]
    assert "codegen --version" in texts["versions"]
