"""The imports of the run time: of its own modules, of other packages, and of its protocol."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import jax
import pytest

import codegen
from codegen import runtime
from codegen.runtime.treedefs import same_structure
from tests.forked import run

RUNTIME = Path(__file__).parent.parent.parent / "codegen" / "runtime"
FILES = sorted(RUNTIME.rglob("*.py"))


def _imported(path: Path) -> Iterator[Path]:
    """Return the files of the package that an import of a file imports."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            names = [folder / alias.name for alias in node.names]
            for found in [folder, *names]:
                for file in (found.with_suffix(".py"), found / "__init__.py"):
                    if file.exists() and file != RUNTIME / "__init__.py":
                        yield file


def test_files_have_no_import_cycle() -> None:
    # `__init__` runs before every file of its folder, and reexports their names.
    graph = {path: {f for f in _imported(path) if f.stem != "__init__"} for path in FILES}
    list(TopologicalSorter(graph).static_order())


def test_table_of_names_is_that_of_type_checkers() -> None:
    declared = {
        str(alias.asname): f"codegen.runtime.{node.module}"
        for node in ast.parse((RUNTIME / "api.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    homes = vars(runtime)["_HOMES"]
    assert {name: f"codegen.runtime.{home}" for name, home in homes.items()} == declared
    for name, home in declared.items():
        assert getattr(runtime, name) is getattr(importlib.import_module(home), name)
    assert {*declared} <= {*dir(runtime)}
    with pytest.raises(AttributeError, match=r"'codegen.runtime' has no attribute 'nothing'"):
        runtime.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_structures_of_equal_but_different_keys_differ() -> None:
    one, again, other = (jax.tree_util.tree_structure({number: 0}) for number in (1, 1, True))
    assert same_structure(one, again)
    assert not same_structure(one, other)


def test_protocol_error_names_the_older_side() -> None:
    exec("from codegen.runtime import protocol_v2")
    with pytest.raises(ImportError, match=r"The package is older: upgrade `pytree-codegen`$"):
        exec("from codegen.runtime import protocol_v3")
    with pytest.raises(ImportError, match=r"The code is older: run `codegen build` again$"):
        exec("from codegen.runtime import protocol_v1")
    for name in ("protocol_", "protocol_1", "protocol_v", "protocol_vv1", "v1", "protocol_v1v"):
        with pytest.raises(ImportError, match="cannot import name"):
            exec(f"from codegen.runtime import {name}")


def test_an_import_of_a_generated_module_imports_little() -> None:
    code = "import generated.heat, sys; print(*sys.modules)"
    loaded = run("-c", code, cwd=RUNTIME.parent.parent).stdout.split()
    names = {one.removeprefix("codegen.runtime.") for one in loaded if "codegen.runtime." in one}
    assert {"declared", "call"} <= names
    used_later = {
        *("call.programs", "call.places", "call.structures", "traces.messages"),
        *("checkpoint", "dims", "drafts", "evolution", "export", "identities", "init", "lift"),
        *("memory", "mesh", "shapes", "sharing", "statics.tagging", "tables", "treedefs"),
    }
    assert names & used_later == set()


def test_the_first_draft_causes_no_trace() -> None:
    """With jax 0.12, an import of Pallas makes every function trace again."""
    code = """
import sys
import jax
import jax.numpy as jnp
from generated.running import Regression, Statistics

traces = []
function = jax.jit(lambda x: traces.append(x))
function(1.0)
ones = jnp.ones(2)
statistics = Statistics(mean=ones, spread=ones)
Regression(weights=ones, inputs=statistics, rng=jax.random.key(0)).draft()
function(1.0)
print(len(traces), "jax.extend" in sys.modules)
"""
    assert run("-c", code, cwd=RUNTIME.parent.parent).stdout == "1 False\n"


# The packages of the generator, and what only they need.
FORBIDDEN = (
    *("jinja2", "libcst", "markupsafe", "msgspec", "mypy", "rich", "shtab", "tomlkit"),
    *(
        f"codegen.{info.name}"
        for info in pkgutil.iter_modules(codegen.__path__)
        if info.name not in ("installation", "runtime")
    ),
)
BEGIN = """
import sys

def is_forbidden(name):
    return any(name == one or name.startswith(one + ".") for one in FORBIDDEN)

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if is_forbidden(name):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in filter(is_forbidden, [*sys.modules]):  # JAX imports `rich` if it is installed.
    del sys.modules[name]
sys.meta_path.insert(0, Refuse())

import jax, jax.numpy as jnp
from codegen.runtime import diff, max_traces, table, traces_as_json
from codegen.runtime.checkpoint import from_dict, restore, save, to_dict
"""
HEAT = """
from examples.heat import make_plate
from generated.heat import Grid, step as function
def call():
    return function(make_plate(16), 0.01, n=2)
assert from_dict(Grid, to_dict(make_plate(16).grid)) == make_plate(16).grid
"""
DIGITS = """
from generated.digits import Architecture, Batch, Mlp, evaluate as function
model = Mlp.abstract(pixels=4, hidden=8, classes=3, middle=1, activation=jax.nn.relu)
model = model.init(jax.random.key(0))
def call():
    return function(model, Batch(jnp.ones((2, 4)), jnp.zeros(2, int)))
config = Architecture(hidden=8, middle_layers=1)
assert from_dict(Architecture, to_dict(config)) == config
"""
DECODER = """
from examples.decoder import make_cache
from examples.transformer import make_model
from generated.decoder import decode as function
from generated.transformer import Config
model = make_model(Config(steps=1), 5)
def call():
    return function(model, make_cache(model), 1)[0]
"""
END = """
with max_traces(1, function):
    result = call()
    assert not diff(call(), result)
save(FOLDER, result)
assert restore(FOLDER, type(result), like=result) == result
assert "total" in str(table(result)) and table(result).to_dict()["bytes"]
assert len(function.traces) == 1 and function.__name__ in repr(function.traces)
assert function.__name__ in traces_as_json()
result.check(), result.fingerprint()
assert not [name for name in sys.modules if is_forbidden(name)]
"""


@pytest.mark.parametrize("program", [HEAT, DIGITS, DECODER], ids=["heat", "digits", "decoder"])
def test_run_time_imports_nothing_of_the_generator(program: str, tmp_path: Path) -> None:
    given = f"FORBIDDEN, FOLDER = {FORBIDDEN!r}, {str(tmp_path / 'state')!r}\n"
    run("-c", given + BEGIN + program + END, cwd=RUNTIME.parent.parent)
