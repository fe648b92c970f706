"""Compile schemas in memory, and write them as an importable package.

package = write(rendered(SCHEMAS), tmp_path, "declared")
package.values.Grid(nx=3)
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from codegen.emit.rendered import Rendered
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.pipeline import compile as compile_schemas

PROJECT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SCHEMAS = HERE / "schemas"


@dataclass(frozen=True, slots=True)
class Package:
    """A generated package. Its modules are attributes, imported on first use."""

    name: str
    folder: Path

    def __getattr__(self, module: str) -> ModuleType:
        return self.load(module)

    def load(self, module: str) -> ModuleType:
        """Import a module by its dotted name."""
        return importlib.import_module(f"{self.name}.{module}")


# The type of the fixture `built`: a folder of schemas and a name give a package.
Build: TypeAlias = Callable[..., Package]


def rendered(root: Path, runtime: str = "package") -> tuple[Rendered, ...]:
    """Compile a folder of schemas, which must have no errors."""
    found = schemas(str(root))
    assert found, f"{root} has no schemas"
    compiled = compile_schemas(found, Options(root.name, "generated", runtime=runtime))
    assert not compiled.report, [f"{d.code}: {d.message}" for d in compiled.report]
    return compiled.rendered


def write(files: tuple[Rendered, ...], parent: Path, name: str) -> Package:
    """Write a package below `parent`, which must be on `sys.path`."""
    for file in files:
        path = parent / name / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    importlib.invalidate_caches()
    return Package(name, parent / name)


def write_text(schema: str, module: str, parent: Path, name: str) -> Package:
    """Compile the text of one schema, which must have no errors, and write it as a package."""
    compiled = compile_schemas(
        [(f"{module}.pyi", module, schema.encode())], Options("", "generated")
    )
    assert not compiled.report, [f"{d.code}: {d.message}" for d in compiled.report]
    return write(compiled.rendered, parent, name)


def forget(name: str) -> None:
    """Remove the modules of a package from `sys.modules`."""
    for module in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[module]


def cases() -> tuple[Rendered, ...]:
    """Compile every valid case of `tests/cases`, as folders of one package."""
    folder = PROJECT / "tests" / "cases"
    roots = sorted([*folder.glob("errors/*/good"), *folder.glob("language/*")])
    found = [
        (path, f"{root.parent.name.lower()}_{root.name}.{module}", data)
        for root in roots
        for path, module, data in schemas(str(root))
    ]
    compiled = compile_schemas(found, Options("cases", "generated"))
    assert not compiled.report, [f"{d.code}: {d.message}" for d in compiled.report]
    return compiled.rendered
