"""Packages and their laws, built in folders of their own and run as users run them."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from codegen.options import FEATURES, Options
from codegen.output.schemas import Schema, schemas
from codegen.pipeline import compile as compile_schemas
from codegen.pipeline import compile_laws, run
from codegen.program.nodes import Module
from codegen.program.types import Ref

PROJECT = Path(__file__).parents[2]
HERE = Path(__file__).parent

# Every class has these laws, and some have one or both of the others.
_LAWS = {
    "round_trip",
    "equal_copies_are_equal",
    "equality_is_exact",
    "equal_copies_trace_once",
    "values_that_differ_trace_twice",
    "placeholders",
    "pickle",
    "pack",
    "declared_shapes",
}

# What a user of these schemas would write: types that Hypothesis cannot make by itself.
_CONFTEST = """
import gc, hypothesis, jax
from hypothesis import strategies as st
from tests.checkpoint.foreign import Pair

hypothesis.settings.register_profile(
    "laws",
    derandomize=True,
    max_examples={examples},
    database=None,
    phases=[hypothesis.Phase.generate],
)
hypothesis.settings.load_profile("laws")
mesh = jax.sharding.Mesh(jax.devices()[:1], ("x",))
spec = jax.sharding.PartitionSpec
st.register_type_strategy(jax.sharding.Mesh, st.just(mesh))
st.register_type_strategy(spec, st.sampled_from((spec(), spec("x"), spec(None, "x"))))
# Its fields take any object, and most objects can be no part of a trace key.
st.register_type_strategy(Pair, st.builds(Pair, st.integers(), st.text()))

def pytest_collection_finish():
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
"""
# And of one schema: its other generators cannot be static.
_OVERRIDE = """
from hypothesis import strategies as st

from .values_strategies import any_Foreign

any_Foreign.override(generator=st.none())
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of the tests of some folders: the outcome by folder, class and test."""

    outcomes: dict[str, str]
    output: str

    def of(self, outcome: str) -> set[str]:
        return {name for name, found in self.outcomes.items() if found == outcome}


def build(found: Sequence[Schema], site: Path, name: str, runtime: str = "vendored") -> None:
    """Write the package `name` and its laws, `name_laws`."""
    options = Options("schemas", name, package=name, runtime=runtime, features=FEATURES)
    for folder, compile_files in ((name, compile_schemas), (f"{name}_laws", compile_laws)):
        compiled = compile_files(found, options)
        assert not compiled.report, [f"{d.code}: {d.message}" for d in compiled.report]
        for file in compiled.rendered:
            path = site / folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8")


def build_folder(root: Path, site: Path, name: str) -> None:
    build(schemas(str(root)), site, name)


def names_of_laws(found: Sequence[Schema], name: str) -> set[str]:
    """Name the tests that the laws of the package `name` are to have, by its declarations."""
    checked = run(found, Options("schemas", name), "checked").checked
    assert checked is not None
    return {
        f"{name}_laws.{law}"
        for module in checked.program.modules
        for law in _names_of_laws(module, checked.facts.donating)
    }


def _names_of_laws(module: Module, donating: Container[Ref]) -> set[str]:
    folder, dot, last = module.name.rpartition(".")
    place = f"{folder}{dot}test_{last}_laws"
    concrete = [node for node in module.classes if not node.abstract]
    found: set[str] = set()
    for node in concrete:
        laws = _LAWS | ({"replace"} if node.fields else set())
        laws |= {"donation"} if node.ref in donating else set()
        found |= {f"{place}.Test{node.ref.name}.test_{law}" for law in laws}
    if len(concrete) > 1:
        found.add(f"{place}.test_no_two_classes_share_a_treedef")
    return found | {f"{place}.{law}" for law in _laws_of_calls(module)}


def _laws_of_calls(module: Module) -> set[str]:
    """Name the tests of functions: one without arguments has none."""
    return {
        f"test_equal_arguments_trace_{one.name}_once" for one in module.functions if one.parameters
    }


def run_all(site: Path, parts: Sequence[Sequence[str]], examples: int) -> Ran:
    """Run the laws of all folders, those of each part in a process of their own."""
    runs = [start(site, part, examples) for part in parts]
    done = [finish(run, site, part) for run, part in zip(runs, parts, strict=True)]
    outcomes = {name: found for ran in done for name, found in ran.outcomes.items()}
    return Ran(outcomes, "".join(ran.output for ran in done))


def start(site: Path, folders: Sequence[str], examples: int) -> subprocess.Popen[str]:
    """Begin to run the laws of some folders."""
    (site / "conftest.py").write_text(_CONFTEST.format(examples=examples))
    if "declared_laws" in folders:
        (site / "declared_laws" / "conftest.py").write_text(_OVERRIDE.lstrip())
    (site / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(site), str(PROJECT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        # What is compiled is the same trivial program, again and again.
        "JAX_COMPILATION_CACHE_DIR": str(site / ".jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    report = f"--junit-xml={_report(site, folders)}"
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", report, *folders],
        cwd=site,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(run: subprocess.Popen[str], site: Path, folders: Sequence[str]) -> Ran:
    """Wait for the end, and read what came of it."""
    output, _ = run.communicate()
    outcomes: dict[str, str] = {}
    for case in ET.parse(_report(site, folders)).iter("testcase"):
        found = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        outcomes[f"{case.get('classname')}.{case.get('name')}"] = found[0] if found else "passed"
    return Ran(outcomes, output)


def _report(site: Path, folders: Sequence[str]) -> Path:
    return site / f"{folders[0]}.xml"
