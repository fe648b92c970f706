"""Define the same classes in every library, in modules that are imported from files.

define(register_dataclass, [Spec("State", arrays=("u",))]).State
"""

from __future__ import annotations

import importlib
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.peers.libraries import Library, Spec

CHECKOUT = Path(__file__).parents[2]

_numbers = itertools.count()


def define(library: Library, specs: Sequence[Spec], more: str = "") -> Any:
    """Write the classes, build them if they are a schema, and import the module.

    `more` is appended to the classes of a schema: its functions.
    """
    return importlib.import_module(module_of(library, specs, more))


def module_of(library: Library, specs: Sequence[Spec], more: str = "") -> str:
    """Write the classes, and return the name of the module to import."""
    folder = tempfile.mkdtemp(prefix="peers-")
    name = f"peers_{next(_numbers)}"
    text = "\n\n".join([library.imports, *map(library.write, specs), more]) + "\n"
    sys.path.insert(0, folder)
    if not library.is_generated:
        Path(folder, f"{name}.py").write_text(text, encoding="utf-8")
        return name
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "classes.pyi").write_text(text, encoding="utf-8")
    settings = f'[tool.codegen]\nout = "{name}"\n'
    Path(folder, "pyproject.toml").write_text(settings, encoding="utf-8")
    build = [sys.executable, "-m", "codegen", "-q", "build"]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    subprocess.run(build, cwd=folder, env=environment, check=True)
    return f"{name}.classes"
