"""The upgrade of a project of 1.0.0rc1, and output and packages that do not fit each other."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from codegen.runtime import PROTOCOL
from tests import forked
from tests.frozen.fixtures import PACKAGE, extract
from tests.promises.project import Project

VERSION = "1.0.0rc1"  # Its default was a copy of the run time.
_MIXINS = """from codegen.schema import dynamic, f32
from mixins import Doubling

class Wave(Doubling):
    height: dynamic[f32]
"""
_NOTE = (
    "the run time is now the installed `pytree-codegen`, which your program then needs: {} from "
    f"`{PACKAGE}/_runtime`; import from `codegen.runtime` instead, or keep the copy with "
    '`runtime = "vendored"` in [tool.codegen]'
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with the default settings, and output of 1.0.0rc1."""
    folder = extract(tmp_path / "project", VERSION)
    (folder / "pyproject.toml").write_text(f'[tool.codegen]\nout = "{PACKAGE}"\n')
    return Project(folder)


def test_first_build_says_once_what_changed(project: Project) -> None:
    copy = project.folder / PACKAGE / "_runtime"
    count = len([*copy.rglob("*.py")])
    mine = copy / "keys/mine.py"
    mine.write_text("mine = 1\n")
    checked = project.call("check")
    assert checked.returncode == 1
    assert checked.stderr.splitlines()[-1] == _NOTE.format(f"{count} files to remove")
    note, summary = project.build().splitlines()
    assert note == _NOTE.format(f"{count} files removed")
    assert f" {count} removed, " in summary
    assert [*copy.rglob("*.py")] == [mine]
    assert project.build().startswith("up to date: ")
    assert project.call("check").stderr.startswith("up to date: ")


@pytest.mark.parametrize("verb", ["check", "build"])
def test_other_formats_stay_valid_and_quiet_means_quiet(project: Project, verb: str) -> None:
    listed = project.call("--output-format", "json", "check")
    assert {*json.loads(listed.stdout)} == {"diagnostics"}
    assert _NOTE[:40] in listed.stderr
    annotated = project.call("--output-format", "github", "check")
    commands = [line for line in annotated.stderr.splitlines() if line.startswith("::")]
    assert len(commands) == len(json.loads(listed.stdout)["diagnostics"])
    assert _NOTE[:40] not in project.call("-q", verb).stderr


def test_edited_copy_stops_the_build_which_names_the_reason(project: Project) -> None:
    copy = project.folder / PACKAGE / "_runtime"
    count = len([*copy.rglob("*.py")])
    edited = copy / "__init__.py"
    edited.write_text(f"{edited.read_text()}mine = 1\n")
    stopped = project.call("build")
    assert stopped.returncode == 1
    assert stopped.stderr.startswith(_NOTE.format(f"{count - 1} files to remove"))
    assert f"`{PACKAGE}/_runtime/__init__.py` was edited" in stopped.stderr
    assert len([*copy.rglob("*.py")]) == count


def test_removing_all_schemas_gives_no_note(project: Project) -> None:
    shutil.rmtree(project.folder / "schemas")
    (project.folder / "schemas").mkdir()
    assert project.build("--force").startswith("no schema is left: ")


def test_unneeded_features_are_a_notice(project: Project) -> None:
    with (project.folder / "pyproject.toml").open("a") as settings:
        settings.write('features = ["jit", "lift"]\n')
    project.build()
    notice, _ = project.build().splitlines()
    assert notice == (
        "`features` in [tool.codegen] is no longer needed: the run time has every part. Remove it"
    )


@pytest.mark.parametrize("module", ["heat", "waves"])
def test_output_that_is_newer_than_the_package_asks_for_an_upgrade(
    project: Project, module: str
) -> None:
    """The earlier package is made of the copy. `waves` imports a mixin, whose errors are explained."""
    earlier = project.folder / "codegen"
    shutil.copytree(project.folder / PACKAGE / "_runtime", earlier / "runtime")
    (earlier / "__init__.py").touch()
    (project.folder / "schemas/waves.pyi").write_text(_MIXINS)
    (project.folder / "mixins.py").write_text("class Doubling: ...\n")
    project.build()
    error = _error(project.folder, f"import {PACKAGE}.{module}")
    assert error == (
        f"ImportError: the generated code has protocol v{PROTOCOL}, but `codegen.runtime` has "
        "protocol v1. The package is older: upgrade `pytree-codegen`"
    )


def test_output_for_a_later_protocol_asks_for_an_upgrade(project: Project) -> None:
    project.build()
    path = project.folder / PACKAGE / "osc.py"
    text = path.read_text()
    path.write_text(text.replace(f"_rt.protocol_v{PROTOCOL}(", f"_rt.protocol_v{PROTOCOL + 1}("))
    error = _error(project.folder, f"import {PACKAGE}.osc")
    assert error.startswith("ImportError: ")
    assert error.endswith("The package is older: upgrade `pytree-codegen`")


def _error(folder: Path, program: str) -> str:
    """Run a program that fails; return the last line of its errors."""
    done = forked.run("-c", program, cwd=folder, check=False)
    assert done.returncode == 1
    return done.stderr.strip().rpartition("\n")[2]
