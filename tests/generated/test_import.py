"""The side effects of importing generated code."""

import ast
import importlib
import os
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests import forked
from tests.generated.objects import objects, plant, statics
from tests.generated.package import PROJECT, SCHEMAS, Package, forget, rendered, write

_IMPORT = """
import importlib, pkgutil, sys
package = importlib.import_module("declared")
for found in pkgutil.walk_packages(package.__path__, "declared."):
    importlib.import_module(found.name)
assert "declared.cycle.deep.bottom" in sys.modules
allowed = ("codegen", "codegen.installation", "codegen.runtime")
codegen = [name for name in sys.modules if name.split(".")[0] == "codegen"]
assert not [name for name in codegen if ".".join(name.split(".")[:2]) not in allowed], codegen
assert not [name for name in sys.modules if name.split(".")[0] in ("jinja2", "tests")], sys.modules
from jax._src import xla_bridge
assert not xla_bridge.backends_are_initialized()
"""


def test_importing_needs_no_generator_and_starts_no_backend(tmp_path: Path) -> None:
    """Foreign Python types are imported with the module, so such modules are excluded here."""
    outside = ("fields", "values", "inheritance", "plates", "functions", "cycle")
    files = tuple(f for f in rendered(SCHEMAS) if not f.path.startswith(outside))
    package = write(files, tmp_path, "declared")
    (package.folder / "cycle" / "deep").mkdir(parents=True)
    for file in rendered(SCHEMAS):
        if file.path.startswith("cycle") and file.path.endswith(("__init__.py", "bottom.py")):
            (package.folder / file.path).write_text(file.text)
    _require_quiet(_IMPORT, tmp_path)


def test_importing_module_with_foreign_types_starts_no_backend(package: Package) -> None:
    code = _IMPORT.replace('in ("jinja2", "tests")', 'in ("jinja2",)')
    _require_quiet(code, package.folder.parent, PROJECT)


def _require_quiet(code: str, *path: Path) -> None:
    found = os.pathsep.join(map(str, path))
    done = forked.run("-W", "error", "-c", code, cwd=path[0], env={"PYTHONPATH": found})
    assert done.stdout == ""


def test_generated_source_does_not_call_exec_or_eval(package: Package) -> None:
    paths = [*package.folder.rglob("*.py"), *(PROJECT / "codegen" / "runtime").rglob("*.py")]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert text.isascii(), path
        called = {
            node.func.id
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"exec", "eval", "compile", "__import__"}, path


def test_reloaded_module_has_its_own_classes(site: Path) -> None:
    package = write(rendered(SCHEMAS), site, "reloaded")
    old_point, old_grid = package.arrays.Point(1.0), package.values.Grid(3)
    old_color = package.values.Color.RED
    old_leaves, old_treedef = jax.tree.flatten(old_point)
    values, arrays = importlib.reload(package.values), importlib.reload(package.arrays)
    grid, point = values.Grid(3), arrays.Point(1.0)
    assert grid != old_grid
    assert point != old_point
    assert grid.__codegen_key__ is not old_grid.__codegen_key__
    assert jax.tree.structure(point) != old_treedef
    assert len({grid, old_grid}) == 2
    # Objects of the old classes still work.
    assert jax.tree.unflatten(old_treedef, old_leaves) == old_point
    assert old_point.replace(x=2.0).x == 2
    which = jax.jit(lambda p: jnp.asarray(type(p) is arrays.Point))
    for _ in range(20):
        assert which(point)
        assert not which(old_point)
    earlier = r": its class is from before `reloaded\.%s` was reloaded: call `upgrade"
    with pytest.raises(TypeError, match=r"`Nested\.grid` .*" + earlier % "values"):
        values.Nested(old_grid)
    with pytest.raises(TypeError, match=r"`Choices\.color` .*" + earlier % "values"):
        values.Choices(
            old_color, values.Level.LOW, values.Name.PLAIN, values.Permission.READ, "fast", 1
        )
    functions = importlib.reload(package.functions)
    with pytest.raises(TypeError, match="`point` of `move` takes a `Point`.*" + earlier % "arrays"):
        functions.move(old_point)
    forget(package.name)


def test_objects_of_two_packages_are_compared_and_fingerprinted(
    package: Package, again: Package
) -> None:
    assert package.values.Grid is not again.values.Grid
    mine, theirs = package.values.Grid(3), again.values.Grid(3)
    assert mine != theirs
    box = package.inheritance.Box
    assert box(item=theirs, value=1.0) == box(item=again.values.Grid(3), value=1.0)
    assert box(item=theirs, value=1.0) != box(item=mine, value=1.0)
    prints = [
        box(item=item, value=1.0).fingerprint() for item in (mine, (mine,), theirs, (theirs,))
    ]
    assert len({*prints}) == 4
    assert mine.fingerprint() == theirs.fingerprint()
    for name, value in statics(again).items():
        holder = package.arrays.Tagged(1.0, tag=value)
        same = package.arrays.Tagged(1.0, tag=statics(again)[name])
        assert jax.tree.structure(holder) == jax.tree.structure(same), name
        other = package.arrays.Tagged(1.0, tag=statics(package)[name])
        assert jax.tree.structure(holder) != jax.tree.structure(other), name
    with pytest.raises(TypeError, match=r"`Tagged\.tag` .*contains arrays"):
        package.arrays.Tagged(1.0, tag=again.arrays.Point(1.0))
    with pytest.raises(TypeError, match=r"`Nested\.grid` takes a `Grid`"):
        package.values.Nested(theirs)


def test_function_accepts_object_of_another_package(package: Package, again: Package) -> None:
    made: Any = {name: value for name, value in objects(again).items() if name != "arrays.Weak"}
    made = [jax.tree.map(lambda _: jnp.float32(1), value) for value in made.values()]
    count = len(jax.tree.leaves(made))
    assert package.functions.tree_sum(made, {}) == count
    theirs = plant(again)
    with pytest.raises(TypeError, match="argument `plant` of `advance` takes a `Plant`"):
        package.functions.advance(theirs, 1.0)
    parts = objects(package)["arrays.Parts"].replace(anything=theirs)
    moved = jax.jit(lambda p: p.replace(a=p.a + 1))(parts)
    assert moved.anything == theirs
