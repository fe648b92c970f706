"""Fixtures: each test builds schemas with mixins and imports them."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.generated.package import forget, write_text

Make = Callable[[str, str], Any]
HEAD = """from codegen.schema import Dim, donated, dynamic, f32, field, impl, key, share, static
from typing import Generic, TypeVar
n = Dim()
"""


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Build a schema with `from mixins import ...`, and import it with these mixins."""
    packages: dict[str, str] = {}

    def build(mixins: str, schema: str) -> Any:
        name = packages.setdefault(schema, f"mixed{len(packages)}")
        outside = ModuleType(f"{name}_mixins")
        sys.modules[outside.__name__] = outside
        exec(mixins, vars(outside))
        if not (tmp_path / name).exists():
            text = HEAD + schema.replace("from mixins", f"from {name}_mixins")
            write_text(text, "plates", tmp_path, name)
        sys.modules.pop(f"{name}.plates", None)
        return importlib.import_module(f"{name}.plates")

    sys.path.insert(0, str(tmp_path))
    yield build
    sys.path.remove(str(tmp_path))
    for name in packages.values():
        forget(name)
        forget(f"{name}_mixins")
