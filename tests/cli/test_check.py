"""Test `codegen check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Capture, Run


@pytest.fixture
def mixed(run: Run, project: Path, capsys: Capture) -> Path:
    """A project with a file in each possible state."""
    (project / "schemas/old.pyi").write_text("old\n")
    (project / "schemas/edited.pyi").write_text("edited\n")
    assert run("build") == 0
    (project / "schemas/heat.pyi").write_text("more heat\n")
    (project / "schemas/old.pyi").unlink()
    (project / "generated/plants/boiler.py").unlink()
    edited = project / "generated/edited.py"
    edited.write_text(edited.read_text() + "mine\n")
    capsys.readouterr()
    return project


def test_each_kind_of_finding_names_its_command(run: Run, capsys: Capture, mixed: Path) -> None:
    assert run("check", "schemas") == 1
    out, told = capsys.readouterr()
    assert out == ""
    assert told == (
        "stale: generated/.codegen-manifest\n"
        "hand-edited: generated/edited.py\n"
        "stale: generated/heat.py\n"
        "orphaned: generated/old.py\n"
        "missing: generated/plants/boiler.py\n"
        "run `codegen build schemas --force` to overwrite the file; `codegen check --diff` shows what "
        "would be lost. To rename a field or a class, edit the schema, and write "
        "`# codegen: was[old_name]` on its line\n"
    )


def test_help_advises_only_commands_that_work(run: Run, capsys: Capture, mixed: Path) -> None:
    assert run("check", "--output-format", "json") == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    helps = {one["path"]: one["help"] for one in found}
    assert helps.pop("generated/edited.py").startswith(
        "run `codegen build --force` to overwrite the file"
    )
    assert {*helps.values()} == {
        "fix the problem with `generated/edited.py` first: until then, a build changes nothing"
    }
    assert run("build") == 1
    assert run("build", "--force") == 0
    (mixed / "schemas/heat.pyi").write_text("heat\n")
    capsys.readouterr()
    assert run("check") == 1
    assert capsys.readouterr().err.endswith("stale: generated/heat.py\nrun `codegen build`\n")


def test_findings_are_diagnostics_in_the_other_formats(
    run: Run, capsys: Capture, mixed: Path
) -> None:
    assert run("check", "--output-format", "concise") == 1
    assert "generated/heat.py: error[STALE_OUTPUT]" in capsys.readouterr().err.replace(":1:1:", ":")
    assert run("check", "--output-format", "json") == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [one["code"] for one in found if one["path"] == "generated/old.py"] == [
        "ORPHANED_OUTPUT"
    ]


def test_diff_goes_to_standard_output(run: Run, capsys: Capture, mixed: Path) -> None:
    assert run("check", "--diff") == 1
    out, told = capsys.readouterr()
    assert "--- generated/heat.py\n+++ generated/heat.py\n" in out
    assert "\n-mine\n" in out
    assert told.startswith("stale: ")
