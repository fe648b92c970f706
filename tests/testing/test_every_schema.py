"""Run the property tests for every schema of the project that no other test file covers.

Of hundreds of small classes, only those are tested that put a word of the language into another one
that no earlier class has there. With EXAMPLES_FACTOR above 1, all classes are tested.
"""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from codegen.output.schemas import Schema, schemas
from tests.generated import checkers
from tests.inputs import examples
from tests.testing.forms import classes_without_new_form, forms
from tests.testing.package import HERE, PROJECT, Ran, build, names_of_properties, run_all
from tests.testing.test_properties import ROOTS

TESTS = PROJECT / "tests"
LANGUAGE = sorted(TESTS.glob("cases/language/*"))
DECLARED = TESTS / "generated" / "schemas"
_known = {form for root in (DECLARED, *LANGUAGE) for form in forms(root)}
ALIKE: list[Path] = []  # folders of schemas without a new form


def _different(roots: Iterable[Path]) -> list[Path]:
    """Return the folders of schemas with a form that no earlier folder has."""
    found: list[Path] = []
    for root in sorted({*roots}):
        new = forms(root)
        (found if new - _known else ALIKE).append(root)
        _known.update(new)
    return found


LINTS = TESTS / "cases" / "lints"
# They name functions that do not exist, or that no valid call reaches.
NOWHERE = LINTS / "UNKNOWN_IMPLEMENTATION"
# The schema folders of each package. Files of different folders do not import each other.
PACKAGES = {
    "declared": [DECLARED],
    "language": LANGUAGE,
    "errors": _different(TESTS.glob("cases/errors/*/good")),
    "compared": _different(path.parent for path in TESTS.glob("cases/breaking/**/current/*.pyi")),
    "evolved": _different(TESTS.glob("cases/evolution/*/current")),
    "linted": _different(
        path.parent for path in LINTS.rglob("*.pyi") if NOWHERE not in path.parents
    ),
    "shared": [TESTS / "sharing" / "schemas"],
    "oracle": [TESTS / "runtime" / "schemas"],
    "identical": [TESTS / "identities" / "schemas"],
    "drafted": [TESTS / "drafts" / "schemas"],
    "shaped": [TESTS / "shapes" / "schemas"],
    "meshed": [TESTS / "meshes" / "schemas"],
    "comfort": [TESTS / "comfort" / "schemas"],
    "called": [TESTS / "calls" / "schemas"],
    "traced": [TESTS / "traces" / "schemas"],
    "cached": [TESTS / "refs" / "schemas"],
    "saved": [TESTS / "checkpoint" / "schemas"],
}
# Schemas with deliberate errors, and the language itself.
EXCEPT = [
    *ALIKE,
    *(path for path in TESTS.glob("cases/errors/*/*") if path.name != "good"),
    # They differ from the current ones by one declaration.
    *TESTS.glob("cases/breaking/*/*/previous"),
    *TESTS.glob("cases/evolution/*/previous"),
    TESTS / "generated" / "typing",
    # Copies of earlier examples, and of foreign types.
    TESTS / "frozen",
    NOWHERE,
    # They are compared with plain pytrees, and have no new forms.
    TESTS / "constructs",
    # They are about functions and constants, which property tests draw elsewhere.
    TESTS / "calls" / "checked",
    TESTS / "calls" / "kept",
    TESTS / "runtime" / "foreign",
    TESTS / "runtime" / "said",
    TESTS / "runtime" / "sampled",
    # The cases of the language have the same forms.
    TESTS / "cases" / "generated",
    # So have these, for both forms of the run time.
    TESTS / "packages",
    # So do schemas that `codegen adopt` wrote from classes.
    TESTS / "cases" / "adopt",
    PROJECT / "codegen",
    # It has a class whose sizes nothing determines, so its objects cannot be drawn.
    TESTS / "shapes" / "unbound",
    # An int for `f32 | int` is drawn as an int, and the constructor converts it to an array.
    TESTS / "shapes" / "defaults",
]
# The parts take about equally long.
HALVES = [
    ["errors", "drafted", "linted", "compared", "evolved", "shared", "language"],
    [
        "declared",
        "oracle",
        "identical",
        "shaped",
        "cached",
        "meshed",
        "comfort",
        "called",
        "traced",
        "saved",
    ],
]
# Most cases name functions that do not exist, and do not need them.
NO_IMPLEMENTATION = re.compile(
    r"Cannot find implementation or library stub|Module \"\w+\" has no attribute"
)


def found(package: str) -> list[Schema]:
    """Find the schemas of a package, with a separate folder for each schema folder."""
    return [
        (path, f"{'_'.join(root.relative_to(TESTS).parts[-3:]).lower()}.{module}", data)
        for root in PACKAGES[package]
        for path, module, data in schemas(str(root))
    ]


LEFT = classes_without_new_form({package: found(package) for package in PACKAGES})


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("every_schema")
    for name in PACKAGES:
        build(found(name), folder, name, left=LEFT.get(name, ()))
    # Python modules that the schemas name.
    shutil.copytree(HERE / "outside", folder, dirs_exist_ok=True)
    for part in ("comfort", "drafts", "meshes", "shapes"):
        (folder / "tests" / part).mkdir(parents=True)
        shutil.copy(TESTS / part / "impl.py", folder / "tests" / part)
    return folder


@pytest.fixture(scope="session")
def ran(site: Path) -> Ran:
    return run_all(site, HALVES, examples=examples(2))


def test_properties_hold(ran: Ran) -> None:
    assert ran.of("failure") | ran.of("error") == set(), ran.output
    # A `Mesh` cannot be pickled.
    assert ran.of("skipped") <= {"declared.generated_schemas.values.Foreign-pickle"}


def test_every_class_is_tested(ran: Ran) -> None:
    expected = {
        one
        for name in PACKAGES
        for one in names_of_properties(found(name), name, LEFT.get(name, ()))
    }
    assert len(expected) > 800
    assert expected == set(ran.outcomes)


def test_no_schema_folder_is_missing() -> None:
    known = {*ROOTS.values(), *(root for roots in PACKAGES.values() for root in roots), *EXCEPT}
    for folder in ("schemas", "tests", "examples", "benchmarks", "docs", "codegen"):
        for path in (PROJECT / folder).rglob("*.pyi"):
            assert known & {path, *path.parents}, path


def test_property_tests_are_typed(site: Path) -> None:
    # Pyright takes a minute for these, so it checks only the other schemas. Both check the good cases.
    targets = [name for name in PACKAGES if name not in ("declared", "language", "errors")]
    found = checkers.mypy(site, targets)
    assert [one for one in found if not NO_IMPLEMENTATION.search(one.message)] == []
