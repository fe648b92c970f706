"""What type checkers accept and report in the output and in code that uses it."""

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
    """Return the findings that a checker must report, by line; its own marks come first."""
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
def test_correct_uses_have_no_findings(findings: dict[str, list[Finding]], checker: str) -> None:
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


def test_wrong_uses_are_many_for_both_checkers() -> None:
    assert len(_marks(WRONG, "mypy")) > 80
    assert len(_marks(WRONG, "pyright")) > 80


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_implementation_with_wrong_types_is_reported(
    findings: dict[str, list[Finding]], site_of_checks: Path, checker: str
) -> None:
    """The error is reported in the generated module, in the function that calls it."""
    path = "misfit/misfits.py"
    lines = (site_of_checks / path).read_text(encoding="utf-8").splitlines()
    by_line = _by_line(findings[checker], path)
    found = [_function(lines, line) for line in by_line]
    # Also for a converter and two factories.
    assert found.count("__new__") == 3
    reported = {*found}
    names = ("wrong_name", "without_names", "too_few", "too_many")
    others = ("wrong_result", "wrong_static", "missing", "missing_module")
    assert reported == {
        *("__new__", "wrong_method", "wrong_name_of_method", "wrong_property"),
        *(f"_codegen_run_{name}" for name in (*names, *others)),
    }
    for name, parameter in {
        "_codegen_run_wrong_name": "rate",
        "wrong_name_of_method": "factor",
    }.items():
        (line,) = (line for line in by_line if _function(lines, line) == name)
        reports = {
            "mypy": f'Unexpected keyword argument "{parameter}"',
            "pyright": f'No parameter named "{parameter}"',
        }
        assert reports[checker] in by_line[line]


def _function(lines: list[str], number: int) -> str:
    """Return the function that contains a line."""
    for line in reversed(lines[:number]):
        if found := re.match(r"\s*def (\w+)", line):
            return found[1]
    raise AssertionError(lines[number - 1])


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
@pytest.mark.parametrize("path", ["misfit/abstract.py", "misfit/other/abstract.py"])
def test_uses_of_abstract_classes_have_the_marked_findings(
    findings: dict[str, list[Finding]], path: str, checker: str
) -> None:
    assert _by_line(findings[checker], path) == {}


# --- the output itself, in the same runs


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_output_is_typed(
    findings: dict[str, list[Finding]], clean_names: list[str], checker: str
) -> None:
    found = [f for f in findings[checker] if f.path.split("/")[0] in clean_names]
    assert [f for f in found if not _is_made_up(f)] == []


# The messages for a name that a checker cannot find, at its import and at its uses.
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
    """The schemas of test cases name Python modules that do not exist."""
    return finding.path.startswith("cases/") and finding.code in (*_MISSING, *_CONSEQUENCES)
