"""Compile the schemas of this folder as the package `declared_on_meshes`.

model = build(folder)       # an empty folder
"""

import importlib
import sys
from pathlib import Path
from types import ModuleType

from tests.generated.package import rendered, write

SCHEMAS = Path(__file__).parent / "schemas"
NAME = "declared_on_meshes"


def build(folder: Path, name: str = NAME) -> ModuleType:
    """Write the package below a folder, and import its only module."""
    write(rendered(SCHEMAS), folder, name)
    sys.path.insert(0, str(folder))
    return importlib.import_module(f"{name}.model")
