"""Run mypy and pyright in strict mode on folders.

mypy(folder, ["declared"])    ->    [Finding("declared/heat.py", 12, "arg-type", "Argument 1 ...")]
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_MYPY = [
    *("--strict", "--python-version=3.11", "--explicit-package-bases", "--no-error-summary"),
    # Other modules are checked only for their declarations.
    *("--follow-imports=silent", "--output=json", "--config-file="),
]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """An error that a type checker reports."""

    path: str  # relative to the folder
    line: int
    code: str
    message: str


def mypy(folder: Path, targets: Sequence[str]) -> list[Finding]:
    """Run `mypy --strict` on files and packages of a folder."""
    command = [sys.executable, "-m", "mypy", *_MYPY, *targets]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return sorted(
        Finding(f["file"], f["line"], f["code"] or "", f["message"])
        for f in found
        if f["severity"] == "error"
    )


def pyright(folder: Path, targets: Sequence[str]) -> list[Finding]:
    """Run pyright in strict mode on files and packages of a folder, except support packages."""
    config = {"include": [*targets], "strict": [*targets], "pythonVersion": "3.11"}
    config["exclude"] = ["**/_runtime"]
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "pyright", "--outputjson", f"--pythonpath={sys.executable}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] > len(targets) - 1
    return sorted(
        Finding(
            str(Path(f["file"]).relative_to(folder)),
            f["range"]["start"]["line"] + 1,
            f.get("rule", ""),
            f["message"],
        )
        for f in answer["generalDiagnostics"]
        if f["severity"] in ("error", "warning")
    )
