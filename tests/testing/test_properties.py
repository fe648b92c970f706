"""The property tests pass for the schemas of this project, and fail for broken classes.

Of the schemas of the examples, the classes with a new form are tested.
"""

import shutil
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

import generated.heat
from codegen.output.schemas import schemas
from codegen.testing import properties, register, strategy
from codegen.testing.leaves import registered
from tests.inputs import examples
from tests.testing.forms import classes_without_new_form
from tests.testing.package import (
    HERE,
    PROJECT,
    Ran,
    build_folder,
    finish,
    names_of_properties,
    run_all,
    start,
)

ROOTS = {
    "generated": PROJECT / "schemas",
    "own": HERE / "schemas",
}

# Functions of these modules are tested, and all their classes.
WHOLE = ("heat", "stencil")
LEFT = {
    package: {name for name in names if not name.startswith(WHOLE)}
    for package, names in classes_without_new_form(
        {"own": schemas(str(ROOTS["own"])), "generated": schemas(str(ROOTS["generated"]))}
    ).items()
    if package == "generated"
}

# The class, text in its module, the replacement that breaks it, and the properties that then fail.
BREAKS = [
    (
        "Dropped",
        "(obj.x, obj.y), obj.__codegen_key__",
        "(obj.x, obj.x), obj.__codegen_key__",
        {"flatten", "checkpoint"},
    ),
    (
        "Keyless",
        "_rt.intern(cls, values, values)",
        "_rt.intern(cls, values, (a,))",
        {"equality_is_exact", "different_values_retrace", "replace"},
    ),
    (
        "Zeros",
        "tags = (x or repr(x),)",
        "tags = (x,)",
        {"equality_is_exact", "different_values_retrace"},
    ),
    (
        "Retraced",
        "_rt.intern(cls, values, values)",
        "_rt.intern(cls, values, (object(),))",
        {"equal_copies_are_equal", "equal_copies_trace_once"},
    ),
    (
        "Replaced",
        "self.b if b is keep else b",
        "self.a if b is keep else b",
        {"replace"},
    ),
    (
        "Picky",
        " = children\n    obj.__codegen_key__ = key\n",
        " = (children[0] * 1,)\n    obj.__codegen_key__ = key\n",
        {"placeholders"},
    ),
]
# Broken by a statement after the class.
LATER = [
    (
        "Unpickled",
        "Unpickled.__reduce__ = lambda self: (Unpickled, (1,))",
        {"pickle"},
    ),
    (
        "Unequal",
        "Unequal.__eq__ = lambda self, other: self is other",
        {"equal_copies_are_equal"},
    ),
    (
        "Underived",
        "Underived.__init_subclass__ = classmethod(lambda cls: None)",
        {"flatten"},
    ),
    (
        "Unhashed",
        "Unhashed.__hash__ = lambda self: hash([])",
        {"equal_copies_are_equal", "equal_copies_trace_once"},
    ),
]
# Functions of the module, broken by these statements. `lose` consumes too little, `take` too much.
FUNCTIONS = """
Lost.__codegen_record__.split = lambda obj, donated, kept: kept.append(obj.u)
Taken.__codegen_record__.split = lambda obj, donated, _: donated.extend((obj.u, obj.v))
_eval_shape = change.eval_shape
def _traced_again(self, **arguments):
    self.clear_cache()
    _eval_shape(**arguments)
    return 1.0
type(change).eval_shape = _traced_again
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every package and its tests."""
    folder = tmp_path_factory.mktemp("testing")
    for name, root in ROOTS.items():
        build_folder(root, folder, name, functions=WHOLE, left=LEFT.get(name, ()))
    # Python modules that the schemas import.
    for part in ("tests/testing/impl", "examples"):
        shutil.copytree(PROJECT / part, folder / part)
    return folder


@pytest.fixture(scope="session")
def ran(site: Path) -> Ran:
    """The outcomes of all tests, in two processes because of their duration."""
    return run_all(site, [["generated"], ["own"]], examples=examples(2))


def test_properties_hold(ran: Ran) -> None:
    assert ran.of("failure") | ran.of("error") == set(), ran.output
    skipped = {name.rpartition("-")[0] for name in ran.of("skipped")}
    assert skipped == {f"own.sizes.{name}" for name in ("Again", "Endless")}


def test_every_class_is_tested(ran: Ran) -> None:
    expected = {
        one
        for name, root in ROOTS.items()
        for one in names_of_properties(schemas(str(root)), name, LEFT.get(name, ()))
    }
    assert len(expected) > 500
    assert expected == {name for name in ran.outcomes if not name.startswith("generated.heat.step")}


def test_functions_are_tested(ran: Ran) -> None:
    for one in ("equal_arguments_trace_once", "donation", "eval_shape"):
        assert ran.outcomes[f"generated.heat.step-{one}"] == "passed", ran.output


def test_traces_of_drawn_arguments_do_not_exhaust_a_budget(tmp_path: Path) -> None:
    package = tmp_path / "budgets"
    (tmp_path / "budget_model.py").write_text(
        "def double(row):\n    return row.replace(x=2 * row.x)\n"
    )
    (package / "schemas").mkdir(parents=True)
    (package / "schemas" / "row.pyi").write_text(
        "from codegen.schema import Dim, donated, f32, impl\n\nn = Dim()\n\n"
        "class Row:\n    x: donated[f32[n]]\n\n"
        '@impl("budget_model:double", traces=1)\n'
        "def double(row: donated[Row]) -> Row: ...\n"
    )
    build_folder(package / "schemas", tmp_path, "rows", functions=["row"])
    ran = run_all(tmp_path, [["rows"]], examples=10)
    assert ran.outcomes["rows.row.double-donation"] == "passed", ran.output


def _replaced(text: str, name: str, old: str, new: str) -> str:
    """Replace text after the head of a class, exactly once."""
    start = text.index(f"\nclass {name}(")
    assert old in text[start:], f"{name} has no `{old}`"
    return text[:start] + text[start:].replace(old, new, 1)


def test_properties_fail_for_broken_classes(tmp_path: Path) -> None:
    build_folder(HERE / "schemas", tmp_path, "own", functions=["broken"])
    shutil.copytree(HERE / "impl", tmp_path / "tests/testing/impl")
    module = tmp_path / "own" / "broken.py"
    text = module.read_text()
    for name, old, new, _ in BREAKS:
        text = _replaced(text, name, old, new)
    text += "\n".join(["", *(statement for _, statement, _ in LATER), FUNCTIONS])
    module.write_text(text)
    for test in (tmp_path / "own_tests").glob("*.py"):
        if test.stem != "test_broken":
            test.unlink()
    ran = finish(start(tmp_path, ["own"], examples=8), tmp_path, ["own"])
    failed = ran.of("failure") | ran.of("error")
    for name, found in [(b[0], b[3]) for b in BREAKS] + [(b[0], b[2]) for b in LATER]:
        for one in found:
            assert f"own.broken.{name}-{one}" in failed, ran.output
    broken = (
        "lose-donation",
        "take-donation",
        "change-equal_arguments_trace_once",
        "change-eval_shape",
    )
    assert {f"own.broken.{name}" for name in broken} <= failed, ran.output
    assert not any("Whole" in name for name in failed), ran.output


def _draw_one(strategy: st.SearchStrategy[Any]) -> Any:
    found: list[Any] = []
    settings = hypothesis.settings(max_examples=1, database=None, deadline=None)

    @settings
    @hypothesis.given(strategy)
    def test(value: Any) -> None:
        found.append(value)

    test()
    return found[0]


def test_user_strategies_for_fields_are_used() -> None:
    assert _draw_one(strategy(generated.heat.Grid, nx=st.just(7))).nx == 7
    with pytest.raises(TypeError, match="`Grid` has no field `mx`"):
        strategy(generated.heat.Grid, mx=st.just(7))
    with pytest.raises(TypeError, match="is not a generated class"):
        strategy(int)


def test_registered_strategy_is_used_for_all_fields_of_the_type() -> None:
    register(generated.heat.Grid, strategy(generated.heat.Grid, dx=st.just(0.25)))
    try:
        assert _draw_one(strategy(generated.heat.Plate)).grid.dx == 0.25
    finally:
        del registered[generated.heat.Grid]


def test_module_without_classes_is_an_error() -> None:
    with pytest.raises(TypeError, match="no generated classes"):
        properties(shutil)
