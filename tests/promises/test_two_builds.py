"""Concurrent builds do not damage each other's output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from codegen.output.lock import locked
from tests.promises.project import SCHEMAS, Project, new, texts

CHANGED = {
    "heat.pyi": SCHEMAS["heat.pyi"].replace("cells", "nodes"),
    "plants/boiler.pyi": SCHEMAS["plants/boiler.pyi"],
    "pumps/pump.pyi": SCHEMAS["plants/boiler.pyi"].replace("Boiler", "Pump"),
}


def _start(project: Project, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "codegen", *words],
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _finish(running: list[subprocess.Popen[str]]) -> None:
    for one in running:
        said = one.communicate()[1]
        assert one.returncode == 0, said


def test_four_equal_builds_at_once(tmp_path: Path) -> None:
    project = new(tmp_path / "project")
    alone = new(tmp_path / "alone")
    alone.build()
    _finish([_start(project, "build") for _ in range(4)])
    assert texts(project.out) == texts(alone.out)
    assert project.call("check").returncode == 0


def test_concurrent_builds_of_two_roots_do_not_mix_output(tmp_path: Path) -> None:
    """This is a user error. The folder then has the output of one of them, never a mixture."""
    made = []
    for name, schemas in (("first", SCHEMAS), ("second", CHANGED)):
        project = new(tmp_path / name, schemas)
        project.build()
        made.append(texts(project.out))
    both = Project(tmp_path)
    words = [("build", f"{name}/schemas", "--out", "out") for name in ("first", "second")]
    for _ in range(2):
        _finish([_start(both, *one) for one in (*words, *words)])
        assert texts(tmp_path / "out") in made


def test_schemas_that_change_while_builds_run(tmp_path: Path) -> None:
    """The last build to write is the last to have read, so its output fits the schemas."""
    project = new(tmp_path / "project")
    running = []
    for schemas in (SCHEMAS, CHANGED) * 2:
        for path, text in schemas.items():
            whole = project.folder / "schemas" / path
            whole.parent.mkdir(exist_ok=True)
            whole.write_text(text)
        running.append(_start(project, "build"))
    for one in running:
        one.communicate()
    project.build()
    assert project.call("check").returncode == 0


def test_waiting_build_says_so_and_goes_on(tmp_path: Path) -> None:
    project = new(tmp_path / "project")
    with locked(str(project.out), print):
        build = _start(project, "build")
        assert build.stderr is not None
        said = build.stderr.readline()
        assert build.poll() is None
    assert said == "another build of `generated` is running: waiting until it ends\n"
    _finish([build])
    assert project.call("check").returncode == 0
