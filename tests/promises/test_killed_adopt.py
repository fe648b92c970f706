"""A killed `codegen adopt --rewrite` leaves each file old or new, and the next run completes it."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from codegen.cli.main import main
from tests.inputs import examples
from tests.promises.killed_adopt import write_package


def test_killed_adopt_is_completed_by_the_next() -> None:
    # `main` runs in forks, which is safe only without the threads of JAX.
    words = ["-m", "tests.promises.killed_adopt", str(examples(6)), str(examples(3))]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ": 0 times" not in done.stdout


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../../victim.py", "is damaged: it names"),
        ("../parts/part0.txt", "is damaged: it names"),
        (None, "is damaged: delete it"),
    ],
)
def test_journal_of_others_changes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    path: str | None,
    reason: str,
) -> None:
    project, victim = tmp_path / "project", tmp_path / "victim.py"
    write_package(project, 1)
    victim.write_bytes(b"old")
    (project / "schemas").mkdir()
    old, new = (b64encode(one).decode() for one in (b"old", b"new"))
    kept = [{"path": path, "before": new, "after": old}] if path else {}
    (project / "schemas" / ".codegen-adopt").write_text(json.dumps(kept), encoding="utf-8")
    monkeypatch.chdir(project)
    words = ["adopt", "parts", "--schemas", "schemas", "--out", "parts/_generated"]
    assert main(words) == 2
    assert reason in capsys.readouterr().err
    assert victim.read_bytes() == b"old"
    assert main([*words, "--dry-run"]) == 2
    assert "run it again first, without `--dry-run`" in capsys.readouterr().err
