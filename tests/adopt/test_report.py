"""Test `codegen adopt --dry-run --report` on packages that are never imported."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from codegen.cli.main import main
from tests.adopt.short_report import short_lines

CASES = Path(__file__).parents[1] / "cases" / "adopt" / "found"


def _report(package: str, file: Path) -> dict[str, Any]:
    assert main(["-q", "adopt", package, "--dry-run", "--report", str(file)]) == 0
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("case", sorted(one.name for one in CASES.iterdir() if one.is_dir()))
def test_package_report_matches_case(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(CASES)
    said = short_lines(_report(case, tmp_path / "report.json"))
    expected = CASES / f"{case}.txt"
    if request.config.getoption("--update"):
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")


def test_invalid_python_files_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, data in {
        "broken.py": b"def f(:\n",
        "binary.py": b"\x00\x01",
        "latin.py": "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"),
        "deep.py": b"x = " + b"(" * 5000 + b")" * 5000,
        "circle.py": b"from .circle import x\nfrom .circle import *\ny = z\nz = y\nclass A(A): pass\n"
        b"from flax import struct\nT = tuple['T', 'T']\n@struct.dataclass\nclass B:\n    t: T\n"
        b"    s: T = struct.field(pytree_node=False)\n",
    }.items():
        path = tmp_path / "odd" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "odd" / "no-name").mkdir()
    (tmp_path / "odd" / "no-name" / "broken.py").write_text("(")
    (tmp_path / "odd" / "lost.py").symlink_to("nothing.py")
    os.mkfifo(tmp_path / "odd" / "pipe.py")
    report = _report("odd", tmp_path / "report.json")
    assert [one["file"] for one in report["unread"]] == [
        *("odd/binary.py", "odd/broken.py", "odd/deep.py"),
        *("odd/lost.py", "odd/pipe.py"),
    ]


def test_linked_files_and_packages_without_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd" / "inner").mkdir(parents=True)
    text = "from flax import struct\n\n@struct.dataclass\nclass A:\n    u: float\n"
    for name in ("one.py", "inner/two.py"):
        (tmp_path / "odd" / name).write_text(text)
    (tmp_path / "odd" / "same.py").symlink_to("one.py")
    (tmp_path / "odd" / "also").symlink_to("inner")
    (tmp_path / "odd" / "inner" / "odd").symlink_to("..")
    classes = _report("odd", tmp_path / "report.json")["classes"]
    assert [(one["name"], one["refused"][0]["why"].split("`")[1]) for one in classes] == [
        ("one.A", "same"),
        ("same.A", "one"),
        ("also.two.A", "inner.two"),
        ("inner.two.A", "also.two"),
    ]
    folder = tmp_path / "no-name"
    folder.mkdir()
    (folder / "__init__.py").write_text(text)
    for words in (["adopt", "no-name", "--dry-run"], ["observe", "no-name", "--", "true"]):
        assert main(words) == 2
        assert "is a package without a valid name" in capsys.readouterr().err


def test_empty_package_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adopt", str(tmp_path / "none"), "--dry-run"]) == 2
    assert main(["adopt", str(tmp_path), "--dry-run"]) == 2
    said = capsys.readouterr().err
    assert "does not exist" in said
    assert "no Python module in" in said
