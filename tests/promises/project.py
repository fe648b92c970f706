"""A project with real schemas, and the command in this process or in a separate one."""

from __future__ import annotations

import configparser
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import tomlkit

from codegen.cli.main import main

CHECKOUT = Path(__file__).parents[2]

SCHEMAS = {
    "heat.pyi": '''"""Heat."""

from codegen.schema import Dim, donated, dynamic, f32, static
from .plants.boiler import Boiler

nx = Dim()

class Grid:
    nx: static[int]  # cells
    dx: static[float] = 0.1  # [m]

class Plate:
    u: donated[f32[nx]]  # [K]
    grid: static[Grid]
    boiler: dynamic[Boiler]
''',
    "plants/boiler.pyi": """from codegen.schema import dynamic, f32

class Boiler:
    power: dynamic[f32]  # [W]
""",
    "steel.pyi": """from codegen.schema import static

class Steel:
    density: static[float] = 7850.0  # [kg/m^3]
""",
}

# Root ignores permissions until it drops that privilege.
_WITHOUT_PRIVILEGES = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
if sys.platform == "linux":
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; not permitted where not needed
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@dataclass(frozen=True)
class Project:
    """A folder with schemas."""

    folder: Path
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def out(self) -> Path:
        return self.folder / "generated"

    @property
    def environment(self) -> dict[str, str]:
        cache = self.folder.parent / f"{self.folder.name}-cache"
        fixed = {"PYTHONPATH": str(CHECKOUT), "XDG_CACHE_HOME": str(cache)}
        return {**os.environ, **fixed, **self.variables}

    def write(self, schemas: Mapping[str, str] = SCHEMAS) -> None:
        """Replace the schemas of the project by these."""
        shutil.rmtree(self.folder / "schemas", ignore_errors=True)
        for path, text in schemas.items():
            (self.folder / "schemas" / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "schemas" / path).write_text(text, encoding="utf-8")

    def run(
        self, *words: str, options: Sequence[str] = (), is_privileged: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Run `codegen` with these arguments in a new process; `options` are for Python."""
        command = [*options, "-m", "codegen", *words]
        if not is_privileged:
            command = ["-c", _WITHOUT_PRIVILEGES, *command]
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run `codegen` in this process, for tests that do not need a new one."""
        out, error = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with (
            chdir(self.folder),
            mock.patch.dict(os.environ, self.environment, clear=True),
            redirect_stdout(out),
            redirect_stderr(error),
        ):
            try:
                status = main(words)
            except SystemExit as end:  # a usage error
                status = int(end.code or 0)
        for stream in (out, error):
            stream.seek(0)
        return subprocess.CompletedProcess(words, status, out.read(), error.read())

    def build(self, *words: str) -> str:
        """Build; return the output. A status other than 0 fails the test."""
        finished = (self.run if self.variables else self.call)("build", *words)
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout == ""
        return finished.stderr


def new(
    folder: Path,
    schemas: Mapping[str, str] = SCHEMAS,
    variables: Mapping[str, str] | None = None,
) -> Project:
    """Create a project in `folder`, with these environment variables."""
    project = Project(folder, variables or {})
    folder.mkdir(parents=True)
    project.write(schemas)
    return project


def add_printed_settings(folder: Path, printed: str) -> None:
    """Add the settings that `init` printed for other tools, as a user does by hand."""
    for name, added in re.findall(
        r"^add to (.*):\n\n((?s:.*?)\n\n)(?=add to |\Z)", printed, re.MULTILINE
    ):
        path = folder / name
        if path.suffix == ".toml":
            both = tomlkit.parse(path.read_text())
            _merge(both, tomlkit.parse(added))
            path.write_text(tomlkit.dumps(both))
        elif path.suffix == ".json":
            settings = json.loads(path.read_text()) | json.loads(f"{{{added}}}")
            path.write_text(json.dumps(settings, indent=2) + "\n")
        else:
            parser = configparser.RawConfigParser()
            parser.read_string(path.read_text())
            parser.read_string(added)
            with path.open("w") as file:
                parser.write(file)


def _merge(into: MutableMapping[str, Any], added: Mapping[str, Any]) -> None:
    for key, value in added.items():
        if isinstance(value, Mapping) and key in into:
            _merge(into[key], value)
        else:
            assert key not in into, key
            into[key] = value


def texts(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files below a folder, including the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def stamps(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return the stamps of files, folders and links that change if anything is written."""
    found: dict[str, tuple[int, ...]] = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        about = path.lstat()
        found[str(path)] = (
            about.st_mode,
            about.st_ino,
            about.st_size,
            about.st_mtime_ns,
            about.st_ctime_ns,
        )
    return found
