"""Test `codegen adopt --prove`: programs confirm the known bugs of a package, and no known false alarm."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.adopt.prove import programs as prove_programs
from codegen.cli.main import main

CASES = Path(__file__).parents[1] / "cases" / "adopt" / "proved"
_MEASURED = re.compile(r"\d+\.\d+ s ")


def test_programs_confirm_bugs_and_no_false_alarm(
    tmp_path: Path,
    preloaded: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    """Test all findings in one run. A command shows the arguments of one class."""
    monkeypatch.chdir(CASES)
    monkeypatch.setenv("PYTHONPATH", str(CASES.parent / "standins"))
    # How often JAX confuses two treedefs depends on their addresses.
    monkeypatch.setattr(prove_programs, "_TREEDEF_CALLS", 0)
    monkeypatch.setattr(sys, "executable", preloaded)
    command = [preloaded, "-W", "ignore", "-m", "lab.use"]
    report = tmp_path / "report.json"
    assert main(["adopt", "lab", "--prove", "--report", str(report), "--", *command]) == 1
    output = _MEASURED.sub("... s ", capsys.readouterr().out)
    expected = CASES / "lab.md"
    if request.config.getoption("--update"):
        expected.write_text(output, encoding="utf-8")
    assert output == expected.read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    statuses = {
        status: {one["finding"]["file"] for one in document["proofs"] if one["status"] == status}
        for status in ("confirmed", "not reproduced", "not tried")
    }
    assert statuses["confirmed"] == {"lab/bugs.py", "lab/observed.py"}
    assert {one["file"] for one in document["unsound"]} == statuses["confirmed"]
    assert all(one["example"] for one in document["unsound"])


def test_options_that_write_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adopt", str(CASES / "lab"), "--prove", "--dry-run"]) == 2
    assert "`--prove` only reads the package" in capsys.readouterr().err
