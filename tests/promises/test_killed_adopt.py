"""A killed `codegen adopt --rewrite` leaves each file old or new, and the next run completes it."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from pathlib import Path

import pytest

from codegen.cli.main import main
from tests.inputs import examples
from tests.promises.killed import kill
from tests.promises.project import Project, texts

_WORDS = ["adopt", "parts", "--schemas", "schemas", "--out", "parts/_generated"]
_REWRITE = [*_WORDS, "--rewrite", "--no-import"]
# Each class has a field with the class of the module before it. If only some modules were rewritten,
# the others would get other types.
_MODULE = '''"""Part {number}."""

import jax
from flax import struct
{imports}

@struct.dataclass
class Part{number}:
    """A part."""

    u: jax.Array{fields}

    def twice(self):
        return 2 * self.u
'''


def _write_package(folder: Path, modules: int) -> None:
    """Write a package of modules with one class each."""
    parts = folder / "parts"
    parts.mkdir(parents=True)
    (parts / "__init__.py").touch()
    for number in range(modules):
        other = f"Part{number - 1}" if number else ""
        text = _MODULE.format(
            number=number,
            imports=f"\nfrom parts.part{number - 1} import {other}\n" if other else "",
            fields=f"\n    inner: {other} | None = None" if other else "",
        )
        (parts / f"part{number}.py").write_text(text, encoding="utf-8")


def test_killed_adopt_is_completed_by_the_next(tmp_path: Path) -> None:
    modules, kills = examples(6), examples(2)
    _write_package(tmp_path / "old", modules)
    old = texts(tmp_path / "old")
    project = Project(tmp_path / "project")
    shutil.copytree(tmp_path / "old", project.folder)
    calls = kill(project, 0, *_REWRITE)
    new = texts(project.folder)
    # One is among the last calls, which write the sources.
    moments = {1 + number * calls.total // kills for number in range(kills - 1)}
    mixed = 0
    for moment in sorted({*moments, calls.replacing[-modules // 2]}):
        shutil.rmtree(project.folder)
        shutil.copytree(tmp_path / "old", project.folder)
        kill(project, moment, *_REWRITE)
        left = texts(project.folder)
        written = {name for name in left if name.endswith((".py", ".pyi"))}
        assert all(left[name] in (old.get(name), new.get(name)) for name in written)
        mixed += 0 < sum(left[name] != old[name] for name in old) < modules
        kill(project, 0, *_REWRITE)
        assert texts(project.folder) == new, f"differs after a kill at call {moment}"
    assert mixed, "no moment was between two sources"


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
    _write_package(project, 1)
    victim.write_bytes(b"old")
    (project / "schemas").mkdir()
    old, new = (b64encode(one).decode() for one in (b"old", b"new"))
    kept = [{"path": path, "before": new, "after": old}] if path else {}
    (project / "schemas" / ".codegen-adopt").write_text(json.dumps(kept), encoding="utf-8")
    monkeypatch.chdir(project)
    assert main(_WORDS) == 2
    assert reason in capsys.readouterr().err
    assert victim.read_bytes() == b"old"
    assert main([*_WORDS, "--dry-run"]) == 2
    assert "run it again first, without `--dry-run`" in capsys.readouterr().err
