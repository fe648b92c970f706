"""What type checkers let pass of the output and of downstream code, and what they do not."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.generated.checkers import Finding
from tests.generated.package import HERE

WRONG = HERE / "typing" / "wrong.py"
ABSTRACT = HERE / "typing" / "abstract_classes.py"
_MARK = re.compile(r"# E(?:-(mypy|pyright))?: (.*?)(?=\s*# E|$)")


def _marks(path: Path, checker: str) -> dict[int, str]:
    """Return what a checker has to report, by line; what is said of it alone goes first."""
    marks: dict[int, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found: dict[str, str] = dict(_MARK.findall(line)) if "  # E" in line else {}
        expected = found.get(checker, found.get(""))
        if expected is not None:
            marks[number] = expected
    return marks


def _by_line(findings: list[Finding], path: str) -> dict[int, str]:
    lines: dict[int, str] = defaultdict(str)
    for finding in findings:
        if finding.path == path:
            lines[finding.line] += f"{finding.message} [{finding.code}]\n"
    return lines


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_right_uses_are_clean(findings: dict[str, list[Finding]], checker: str) -> None:
    assert _by_line(findings[checker], "tests/generated/typing/right.py") == {}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
@pytest.mark.parametrize("path", [WRONG, ABSTRACT], ids=lambda path: path.stem)
def test_wrong_uses_are_reported(
    findings: dict[str, list[Finding]], path: Path, checker: str
) -> None:
    marks = _marks(path, checker)
    reported = _by_line(findings[checker], f"tests/generated/typing/{path.name}")
    missed = {
        line: (expected, reported.get(line))
        for line, expected in marks.items()
        if expected not in reported.get(line, "")
    }
    assert not missed
    assert {line: text for line, text in reported.items() if line not in marks} == {}


def test_both_checkers_have_much_to_find() -> None:
    assert len(_marks(WRONG, "mypy")) > 80
    assert len(_marks(WRONG, "pyright")) > 80


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_an_implementation_that_does_not_fit_is_reported(
    findings: dict[str, list[Finding]], site_of_checks: Path, checker: str
) -> None:
    """The error stands in the generated module, in the function that calls it."""
    path = "misfit/misfits.py"
    lines = (site_of_checks / path).read_text(encoding="utf-8").splitlines()
    found = [_function(lines, line) for line in _by_line(findings[checker], path)]
    # Of a converter and of two factories, too.
    assert found.count("__new__") == 3
    reported = {*found}
    functions = ("wrong_order", "too_few", "too_many", "wrong_result", "wrong_static")
    missing = ("missing", "missing_module")
    assert reported == {
        *("__new__", "wrong_method", "wrong_property"),
        *(f"_codegen_run_{name}" for name in (*functions, *missing)),
    }
    # Beside each is said what declares the call.
    for number in _by_line(findings[checker], path):
        name = _function(lines, number).removeprefix("_codegen_run_")
        beside = "\n".join(lines[number - 3 : number + 2])
        said = re.findall(r"# `def (\w+)`(?: of `\w+`)? in misfits\.pyi declares", beside)
        assert said == ([] if name == "__new__" else [name])


def _function(lines: list[str], number: int) -> str:
    """Return the function that a line stands in."""
    for line in reversed(lines[:number]):
        if found := re.match(r"\s*def (\w+)", line):
            return found[1]
    raise AssertionError(lines[number - 1])


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
@pytest.mark.parametrize("path", ["misfit/abstract.py", "misfit/other/abstract.py"])
def test_abstract_classes_are_clean(
    findings: dict[str, list[Finding]], path: str, checker: str
) -> None:
    assert _by_line(findings[checker], path) == {}


# --- the output itself, in the same run of each type checker


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_output_is_typed(
    findings: dict[str, list[Finding]], clean_names: list[str], checker: str
) -> None:
    found = [f for f in findings[checker] if f.path.split("/")[0] in clean_names]
    assert [f for f in found if not _is_made_up(f)] == []


# What a checker says where a name is imported, and where it is used, that it cannot find.
_MISSING = (
    "import-not-found",
    "reportMissingImports",
    "attr-defined",
    "reportAttributeAccessIssue",
)
_CONSEQUENCES = (
    *("name-defined", "misc"),
    *("reportUntypedBaseClass", "reportUnknownParameterType", "reportGeneralTypeIssues"),
)


def _is_made_up(finding: Finding) -> bool:
    """What the schemas of cases name outside themselves does not exist."""
    return finding.path.startswith("cases/") and finding.code in (*_MISSING, *_CONSEQUENCES)
