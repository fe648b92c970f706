"""The parts of the support package: the imports of each, and the error for a missing one."""

from __future__ import annotations

import ast
import importlib
import shutil
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import jax
import pytest

RUNTIME = Path(__file__).parent.parent.parent / "codegen" / "runtime"
# Each part imports only parts above it, also inside functions.
PARTS = (
    "settings",
    "keys",
    "classes",
    "declared",
    "shapes",
    "generics",
    "leaves",
    "objects",
    "converters",
    "split",
    "refs",
    "containers",
    "statics",
    "structures",
    "frozendict",
    "field_types",
    "mixins",
    "own_init",
    "stacks",
    "tracing",
    "compiler_options",
    "implementations",
    "dims",
    "init",
    "tags",
    "sharing",
    "traces",
    "call",
    "donation",
    "in_place",
    "mesh",
    "drafts",
    "lift",
    "identities",
    "jit",
    "evolution",
    "checkpoint",
    "export",
    "tables",
    "memory",
)
CORE = ("settings", "keys", "classes")
FILES = sorted(RUNTIME.rglob("*.py"))


def _part(path: Path) -> str:
    return path.relative_to(RUNTIME).parts[0].removesuffix(".py")


def _imported(path: Path) -> Iterator[Path]:
    """Return the files of the package that a file imports, except for type checkers."""
    for node in ast.walk(_without_types(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            names = [folder / alias.name for alias in node.names]
            for found in [folder, *names]:
                for file in (found.with_suffix(".py"), found / "__init__.py"):
                    if file.exists() and file != RUNTIME / "__init__.py":
                        yield file


def _without_types(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return tree


def test_every_file_belongs_to_a_part() -> None:
    assert {_part(path) for path in FILES} == {*PARTS, "__init__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(RUNTIME).as_posix())
def test_part_imports_only_earlier_parts(path: Path) -> None:
    if path.parent == RUNTIME and path.stem == "__init__":
        assert not [*_imported(path)]
        return
    before = PARTS[: PARTS.index(_part(path)) + 1]
    assert [
        file.relative_to(RUNTIME) for file in _imported(path) if _part(file) not in before
    ] == []


def test_files_have_no_import_cycle() -> None:
    # `__init__` runs before every file of its folder, and reexports their names.
    graph = {path: {f for f in _imported(path) if f.stem != "__init__"} for path in FILES}
    list(TopologicalSorter(graph).static_order())


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a package that contains only the core."""
    package = tmp_path / "alone_runtime"
    package.mkdir()
    for name in ("__init__", *CORE):
        if (RUNTIME / name).is_dir():
            shutil.copytree(RUNTIME / name, package / name)
        else:
            shutil.copy(RUNTIME / f"{name}.py", package)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    yield package.name
    for name in [one for one in sys.modules if one.partition(".")[0] == package.name]:
        del sys.modules[name]


def test_core_works_without_other_parts(core: str) -> None:
    for name in CORE:
        importlib.import_module(f"{core}.{name}")


def test_core_compares_foreign_pytrees_by_their_texts(
    core: str,
) -> None:
    trees = importlib.import_module(f"{core}.classes.values")
    one, again, other = (jax.tree_util.tree_structure({number: 0}) for number in (1, 1, True))
    assert trees.same_structure(one, again)
    assert not trees.same_structure(one, other)


def test_parts_for_foreign_pytrees_are_imported_on_demand(core: str) -> None:
    for part in ("converters", "structures"):
        shutil.copy(RUNTIME / f"{part}.py", *importlib.import_module(core).__path__)
    trees = importlib.import_module(f"{core}.classes.values")
    one, other = (jax.tree_util.tree_structure({number: 0}) for number in (1, 2))
    assert not trees.same_structure(one, other)
    assert f"{core}.structures" not in sys.modules
    one, other = (jax.tree_util.tree_structure({number: 0}) for number in (1, True))
    assert not trees.same_structure(one, other)


def test_missing_part_is_an_error_that_names_the_setting(core: str) -> None:
    for part, reason in (
        ("lift", r'a schema has a class with `draft=True`, or .* has `features = \["lift"\]`'),
        ("jit", r'`\[tool.codegen\]` has `features = \["jit"\]`'),
        ("call", "a schema has a function$"),
    ):
        told = f"`{core}.{part}` is missing: `codegen build` writes it only if .*{reason}"
        with pytest.raises(ModuleNotFoundError, match=told):
            importlib.import_module(f"{core}.{part}")
        with pytest.raises(ModuleNotFoundError, match=told):
            exec(f"from {core} import {part}")
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        importlib.import_module(f"{core}.nothing")
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        exec(f"from {core} import nothing")


def test_protocol_error_names_the_older_side(core: str) -> None:
    exec(f"from {core} import protocol_v2")
    with pytest.raises(ImportError, match=r"The package is older: upgrade `pytree-codegen`$"):
        exec(f"from {core} import protocol_v3")
    with pytest.raises(ImportError, match=r"The code is older: run `codegen build` again$"):
        exec(f"from {core} import protocol_v1")
    for name in ("protocol_", "protocol_1", "protocol_v", "protocol_vv1", "v1", "protocol_v1v"):
        with pytest.raises(ImportError, match="cannot import name"):
            exec(f"from {core} import {name}")
