"""The laws hold for every schema of the project, and fail for classes that are broken."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.pipeline import compile_laws
from tests.generated import checkers
from tests.laws.package import (
    HERE,
    PROJECT,
    Ran,
    build_folder,
    finish,
    names_of_laws,
    run_all,
    start,
)

ROOTS = {
    "generated": PROJECT / "schemas",
    "declared": PROJECT / "tests" / "generated" / "schemas",
    "own": HERE / "schemas",
}
FOLDERS = [f"{name}_laws" for name in ROOTS]

# The class, what its module has, what it has after it was broken, and the laws that then fail.
BREAKS = [
    (
        "Dropped",
        "(obj.x, obj.y), obj.__codegen_key__",
        "(obj.x, obj.x), obj.__codegen_key__",
        {"round_trip", "pack"},
    ),
    (
        "Keyless",
        "intern_key(cls, (a, b), (a, b))",
        "intern_key(cls, (a,), (a, b))",
        {"equality_is_exact", "values_that_differ_trace_twice", "replace"},
    ),
    (
        "Zeros",
        "intern_key(cls, (float_tag(x),), (x,))",
        "intern_key(cls, (x,), (x,))",
        {"equality_is_exact", "values_that_differ_trace_twice"},
    ),
    (
        "Retraced",
        "intern_key(cls, (a,), (a,))",
        "intern_key(cls, (object(),), (a,))",
        {"equal_copies_are_equal", "equal_copies_trace_once"},
    ),
    ("Lost", "    donated.append(obj.u)", "    kept.append(obj.u)", {"donation"}),
    ("Taken", "    kept.append(obj.v)", "    donated.append(obj.v)", {"donation"}),
    (
        "Replaced",
        "self.b if b is KEEP else b",
        "self.a if b is KEEP else b",
        {"replace"},
    ),
    (
        "Picky",
        " = children\n    obj.__codegen_key__ = key\n",
        " = (children[0] * 1,)\n    obj.__codegen_key__ = key\n",
        {"placeholders"},
    ),
    (
        "Misshapen",
        'Shaped("float32", "n", "m")',
        'Shaped("float32", "m", "n")',
        {"declared_shapes"},
    ),
]
# Broken by a statement behind the class.
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
        {"round_trip"},
    ),
    (
        "Unhashed",
        "Unhashed.__hash__ = lambda self: hash([])",
        {"equal_copies_are_equal", "equal_copies_trace_once"},
    ),
]
# JAX's own registration tells two classes apart by their keys alone.
TWINS = ("intern_key(cls, (n,), (n,))", "intern_key(One, (n,), (n,))")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every package and its laws."""
    folder = tmp_path_factory.mktemp("laws")
    for name, root in ROOTS.items():
        build_folder(root, folder, name)
    # What the schemas import, for the type checkers.
    for part in ("tests/generated/impl", "tests/laws/impl", "examples"):
        shutil.copytree(PROJECT / part, folder / part)
    return folder


@pytest.fixture(scope="session")
def ran(site: Path) -> Ran:
    """What comes of all laws; two processes, as they take their time."""
    return run_all(site, [["declared_laws"], ["generated_laws", "own_laws"]], examples=4)


def test_laws_hold(ran: Ran) -> None:
    assert ran.of("failure") | ran.of("error") == set(), ran.output
    # A `Mesh` cannot be pickled.
    assert ran.of("skipped") == {"declared_laws.test_values_laws.TestForeign.test_pickle"}


def test_every_class_has_its_laws(ran: Ran) -> None:
    expected = {
        law for name, root in ROOTS.items() for law in names_of_laws(schemas(str(root)), name)
    }
    # No object of these has an end.
    missing = {name.rpartition(".")[0] for name in expected - set(ran.outcomes)}
    assert missing == {f"own_laws.test_sizes_laws.Test{name}" for name in ("Again", "Endless")}
    assert set(ran.outcomes) < expected
    # What it donates lies in an object of a class below the abstract one that it declares.
    assert "declared_laws.test_inheritance_laws.TestNetwork.test_donation" in ran.outcomes
    assert "own_laws.test_shared_laws.TestModel.test_donation" in ran.outcomes


def test_what_cannot_be_drawn_is_said(site: Path) -> None:
    text = (site / "own_laws" / "test_sizes_laws.py").read_text()
    assert "# No laws of `Endless`" in text
    assert "class TestEndless" not in text


def _replaced(text: str, name: str, old: str, new: str) -> str:
    """Replace what stands behind the head of a class, once."""
    start = text.index(f"\nclass {name}(")
    assert old in text[start:], f"{name} has no `{old}`"
    return text[:start] + text[start:].replace(old, new, 1)


def test_laws_fail_for_broken_classes(tmp_path: Path) -> None:
    build_folder(HERE / "schemas", tmp_path, "own")
    module = tmp_path / "own" / "broken.py"
    text = module.read_text()
    for name, old, new, _ in BREAKS:
        text = _replaced(text, name, old, new)
    text = _replaced(text, "Two", *TWINS)
    text += "\n".join(["", *(statement for _, statement, _ in LATER), ""])
    module.write_text(text)
    folders = ["own_laws/test_broken_laws.py"]
    ran = finish(start(tmp_path, folders, examples=15), tmp_path, folders)
    failed = ran.of("failure") | ran.of("error")
    place = "own_laws.test_broken_laws"
    for name, laws in [(b[0], b[3]) for b in BREAKS] + [(b[0], b[2]) for b in LATER]:
        for law in laws:
            assert f"{place}.Test{name}.test_{law}" in failed, ran.output
    assert f"{place}.test_no_two_classes_share_a_treedef" in failed, ran.output
    assert not any("TestWhole" in name for name in failed), ran.output


def test_laws_are_clean(site: Path) -> None:
    for words in (["format", "--check", "--diff"], ["check"], ["check", "--target-version=py314"]):
        command = [sys.executable, "-m", "ruff", words[0], "--isolated", "--no-cache", *words[1:]]
        done = subprocess.run(
            [*command, *FOLDERS], cwd=site, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("checker", [checkers.mypy, checkers.pyright])
def test_laws_are_typed(
    site: Path, checker: Callable[[Path, list[str]], list[checkers.Finding]]
) -> None:
    assert checker(site, FOLDERS) == []


def test_same_schemas_same_bytes() -> None:
    found = schemas(str(PROJECT / "schemas"))
    one = compile_laws(found, Options("schemas", "generated", package="a.b"))
    other = compile_laws(found[::-1], Options("elsewhere", "x", package="a.b"))
    assert one.rendered == other.rendered


def test_strategies_are_imported_without_hypothesis(site: Path) -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from generated_laws.heat_strategies import any_Plate\n"
        "try: any_Plate()\n"
        "except ImportError: print('needed now')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=site, capture_output=True, text=True, check=False
    )
    assert done.stdout == "needed now\n", done.stderr
