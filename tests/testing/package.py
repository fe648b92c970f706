"""Build packages in separate folders, with property tests as users write them."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from codegen.options import Options
from codegen.output.schemas import Schema, schemas
from codegen.pipeline import compile as compile_schemas
from codegen.pipeline import run
from codegen.program.nodes import Class, Module
from tests.xla import compilation_cache

PROJECT = Path(__file__).parents[2]
HERE = Path(__file__).parent

# The properties of every class. One with fields has `replace` too.
_PROPERTIES = {
    "flatten",
    "equal_copies_are_equal",
    "equality_is_exact",
    "equal_copies_trace_once",
    "different_values_retrace",
    "placeholders",
    "pickle",
    "shapes",
    "checkpoint",
}

# Strategies that a user of these schemas must write, because Hypothesis cannot create the types.
_CONFTEST = """
import gc, hypothesis, jax
from hypothesis import strategies as st
from codegen.testing import register
from tests.checkpoint.foreign import Pair

hypothesis.settings.register_profile(
    "few",
    derandomize=True,
    max_examples={examples},
    database=None,
    phases=[hypothesis.Phase.generate],
)
hypothesis.settings.load_profile("few")
mesh = jax.sharding.Mesh(jax.devices()[:1], ("x",))
spec = jax.sharding.PartitionSpec
register(jax.sharding.Mesh, st.just(mesh))
register(spec, st.sampled_from((spec(), spec("x"), spec(None, "x"))))
# Its fields take any object, and most objects cannot be part of a trace key.
register(Pair, st.builds(Pair, st.integers(), st.text()))

def pytest_collection_finish():
    gc.set_threshold(200_000, 20, 20)
"""
# The test module of a user, for the tested classes of a module.
_TEST = """
from importlib import import_module
from types import ModuleType
from codegen.testing import properties

whole = import_module("{module}")
module = ModuleType("{module}")
vars(module).update((name, vars(whole)[name]) for name in {classes})
if {functions}:
    vars(module).update(vars(whole))
test = properties(module, functions={functions})
"""
# The field `generator` of one class has an abstract type, most of whose objects are not static.
_FOREIGN = """
from hypothesis import strategies as st
from codegen.testing import register, strategy
from declared.generated_schemas.values import Foreign

register(Foreign, strategy(Foreign, generator=st.none()))
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcomes of the tests of several packages, by package, module, class and property."""

    outcomes: dict[str, str]
    output: str

    def of(self, outcome: str) -> set[str]:
        return {name for name, found in self.outcomes.items() if found == outcome}


def build(
    found: Sequence[Schema],
    site: Path,
    name: str,
    *,
    functions: Collection[str] = (),
    left: Collection[str] = (),
) -> None:
    """Write the package `name`, and in `name_tests` a test for each of its modules.

    The functions of the modules in `functions` are tested too. The classes in `left`, such as `heat.Grid`, are
    excluded.
    """
    compiled = compile_schemas(found, Options("schemas", name))
    assert not compiled.report, [f"{d.code}: {d.message}" for d in compiled.report]
    for file in compiled.rendered:
        path = site / name / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    tests = site / f"{name}_tests"
    tests.mkdir()
    for module, classes in _tested(found, left).items():
        (tests / f"test_{module.replace('.', '__')}.py").write_text(
            _TEST.format(module=f"{name}.{module}", classes=classes, functions=module in functions)
        )


def _tested(found: Sequence[Schema], left: Collection[str]) -> dict[str, list[str]]:
    """Return the classes to test for each module that has some."""
    checked = run(found, Options("schemas", "generated"), "checked").checked
    assert checked is not None
    modules = {m.name: [c.ref.name for c in _concrete(m, left)] for m in checked.program.modules}
    return {name: classes for name, classes in modules.items() if classes}


def _concrete(module: Module, left: Collection[str]) -> list[Class]:
    return [
        node
        for node in module.classes
        if not node.abstract and f"{module.name}.{node.ref.name}" not in left
    ]


def build_folder(
    root: Path,
    site: Path,
    name: str,
    *,
    functions: Collection[str] = (),
    left: Collection[str] = (),
) -> None:
    build(schemas(str(root)), site, name, functions=functions, left=left)


def names_of_properties(found: Sequence[Schema], name: str, left: Collection[str] = ()) -> set[str]:
    """Return the names of the tests that the package `name` should have, from its declarations."""
    checked = run(found, Options("schemas", name), "checked").checked
    assert checked is not None
    return {
        f"{name}.{module.name}.{node.ref.name}-{one}"
        for module in checked.program.modules
        for node in _concrete(module, left)
        for one in _of_class(node)
    }


def _of_class(node: Class) -> set[str]:
    return _PROPERTIES | ({"replace"} if node.fields else set())


def run_all(site: Path, parts: Sequence[Sequence[str]], examples: int) -> Ran:
    """Run the tests of all packages, with a separate process for each part."""
    runs = [start(site, part, examples) for part in parts]
    done = [finish(run, site, part) for run, part in zip(runs, parts, strict=True)]
    outcomes = {name: found for ran in done for name, found in ran.outcomes.items()}
    return Ran(outcomes, "".join(ran.output for ran in done))


def start(site: Path, names: Sequence[str], examples: int) -> subprocess.Popen[str]:
    """Start the tests of some packages."""
    (site / "conftest.py").write_text(_CONFTEST.format(examples=examples))
    if "declared" in names:
        (site / "declared_tests" / "conftest.py").write_text(_FOREIGN.lstrip())
    (site / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(site), str(PROJECT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        # The same trivial programs are compiled many times.
        **compilation_cache(site / ".jax"),
    }
    report = f"--junit-xml={_report(site, names)}"
    folders = [f"{name}_tests" for name in names]
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("--import-mode=importlib", report, *folders),
        ],
        cwd=site,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(run: subprocess.Popen[str], site: Path, names: Sequence[str]) -> Ran:
    """Wait for the end, and return the outcomes."""
    output, _ = run.communicate()
    outcomes: dict[str, str] = {}
    for case in ET.parse(_report(site, names)).iter("testcase"):
        found = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        folder, _, file = (case.get("classname") or "").rpartition(".")
        module = file.removeprefix("test_").replace("__", ".")
        # pytest escapes non-ASCII characters.
        escaped = (case.get("name") or "").removeprefix("test[").removesuffix("]")
        name = escaped.encode().decode("unicode_escape")
        package = folder.removesuffix("_tests")
        outcomes[f"{package}.{module}.{name}"] = found[0] if found else "passed"
    return Ran(outcomes, output)


def _report(site: Path, names: Sequence[str]) -> Path:
    return site / f"{names[0]}.xml"
