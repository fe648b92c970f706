"""The declarations in the records of classes are those of the compiler, byte for byte."""

import abc
import importlib
import importlib.abc
import itertools
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen import pipeline
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.program.declaration_tables import Table, declaration_table
from codegen.runtime.checkpoint.declarations import declarations
from tests.generated import package, test_random

PROJECT = Path(__file__).parents[2]
FOLDERS = [PROJECT / "schemas", *sorted((PROJECT / "tests").glob("[!c]*/**/schemas")),
           *sorted((PROJECT / "tests").glob("c[!a]*/schemas"))]  # fmt: skip
_count = itertools.count()


class _Anything(abc.ABCMeta):
    """The type of classes that have an object under every name in capitals, and classes under others."""

    def __getattr__(cls, name: str) -> Any:
        return cls() if name.isupper() else _attribute(cls, name)

    def __getitem__(cls, _: object) -> Any:
        return cls


class _Imported(ModuleType):
    """A module that the schemas of the cases import: it has a class under every name."""

    def __getattr__(self, name: str) -> Any:
        return _attribute(self, name)


def _attribute(owner: object, name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    members = {"__eq__": lambda a, b: a is b, "__hash__": lambda a: id(a)}
    if name == "Made":
        members = {"__init__": lambda self: None}
    setattr(owner, name, _Anything(name, (), members))
    return vars(owner)[name]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        is_own = name.partition(".")[0] in ("a", "heat_mixins", "materials", "model", "operators")
        return ModuleSpec(name, self, is_package=True) if is_own else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Imported(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


@pytest.fixture
def _imports(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known = {*sys.modules}
    monkeypatch.setattr(sys, "meta_path", [_Finder(), *sys.meta_path])
    yield
    for name in {*sys.modules} - known:
        if isinstance(sys.modules[name], _Imported):
            del sys.modules[name]


def _require_equal(files: Sequence[pipeline.File], site: Path) -> None:
    """Compare both tables. Only dimensions in fields, and all imports of these, matter for saved files."""
    stages = pipeline.run(files, Options("schemas", "generated"))
    assert stages.program is not None
    assert not stages.report, [(one.source.path, one.message) for one in stages.report]
    name = f"declared_{next(_count)}"
    package.write(stages.rendered, site, name)
    try:
        expected: dict[str, Table] = {}
        for module in stages.program.modules:
            importlib.import_module(f"{name}.{module.name}")
            expected |= declaration_table(module)
        found = declarations(f"{name}.")
        modules = [one for one, table in expected.items() if table["kind"] == "module"]
        for each in modules:
            _require_module(found.pop(each, {}), expected.pop(each))
        assert found == expected
        # `migrate` gets the entries in this order.
        assert {n: [*e.get("fields", ())] for n, e in found.items()} == {
            n: [*e.get("fields", ())] for n, e in expected.items()
        }
    finally:
        package.forget(name)


def _require_module(found: dict[str, Any], expected: Any) -> None:
    dims = found.get("dims", {})
    assert {one: old for one, old in dims.items() if old and one in expected.get("dims", {})} == {
        one: old for one, old in expected.get("dims", {}).items() if old and one in dims
    }
    if found:
        assert {*expected.get("imports", ())} <= {*found.get("imports", ())}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.relative_to(PROJECT).as_posix())
def test_records_have_the_declarations_of_the_schemas(
    folder: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder.parent)
    _require_equal(schemas(str(folder)), site)


@pytest.mark.usefixtures("_imports")
def test_records_have_the_declarations_of_the_cases(site: Path) -> None:
    folders = (
        (PROJECT / "tests/cases").glob("errors/*/good"),
        (PROJECT / "tests/cases").glob("language/*"),
    )
    files = [
        (path, f"{root.parent.name.lower()}_{root.name}.{module}", data)
        for root in sorted(itertools.chain(*folders))
        for path, module, data in schemas(str(root))
    ]
    _require_equal(files, site)


def test_records_have_the_declarations_of_random_classes(site: Path) -> None:
    head = test_random._HEAD
    files = [
        (f"module{n}.pyi", f"module{n}", (head + made.schema()).encode())
        for n, made in enumerate(test_random._examples())
    ]
    _require_equal(files, site)
