"""Check that tables in the documentation are complete."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.options import Options
from tests.docs.session import matches

ROOT = Path(__file__).parents[2]
GENERATED = ROOT / "docs" / "generated.md"
MAINTAINERS = ROOT / "docs" / "how-it-works.md"
HEAD = """\
from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, Literal, TypeVar
from os import stat_result
from codegen.schema import dtype, f32, frozendict, identity, static
T = TypeVar("T")
class E(Enum):
    A = 1
class G: ...
class H(abstract=True): ...
"""
# Type names as in the table; two spaces separate its columns.
TYPES = {
    "int": ["int"],
    "str, bytes": ["str", "bytes"],
    "bool": ["bool"],
    "float": ["float"],
    "complex": ["complex"],
    "None": ["None"],
    "an enum E": ["E"],
    "Literal[1, 2]": ["Literal[1, 2]"],
    "dtype": ["dtype"],
    "a constant": ["f32[3]"],
    "Callable": ["Callable[..., Any]"],
    "identity[T]": ["identity[Any]"],
    "a static class": ["G"],
    "an abstract one": ["H"],
    "T | None": [
        *["int | None", "float | None", "complex | None", "str | None", "E | None", "G | None"],
        *["H | None", "dtype | None", "f32[3] | None", "Callable[..., Any] | None"],
    ],
    "Any, a TypeVar": ["Any", "T"],
    "anything else": [
        *["stat_result", "tuple[int, str]", "frozenset[int]", "frozendict[str, int]"],
        *['Literal[1, "a"]', "Literal[1, None]", "int | str", "int | str | None"],
        *["Literal[1] | None", "Any | None", "T | None"],
    ],
}
TAGS = {"its key": "x.__codegen_key__", "that of T": "..."}


def _rows() -> dict[str, tuple[str, str]]:
    """Parse the table of static values: the statement and the tag of each type."""
    doc = GENERATED.read_text(encoding="utf-8")
    table = doc[doc.index("type   ") : doc.index('\n```\n\n"Its key"')]
    rows: dict[str, tuple[str, str]] = {}
    for line in table.splitlines()[1:]:
        type, statement, tag = re.fullmatch(r"(.{15}) (.{52}) (.+)", line).groups()  # type: ignore[union-attr]
        rows[type.strip()] = (statement.strip(), tag)
    return rows


def _generated(type: str) -> tuple[str, str]:
    """Return the generated statements and the tag for a field of this type."""
    schema = f"{HEAD}class Box(Generic[T]):\n    x: static[{type}]\n"
    file = ("schemas/box.pyi", "box", schema.encode())
    result = pipeline.compile([file], Options("schemas", "generated"))
    assert not result.report, result.report
    (text,) = (one.text for one in result.rendered if one.path == "box.py")
    box = ast.parse(text.replace("_rt.", "")).body
    (constructor,) = (
        node
        for cls in box
        if isinstance(cls, ast.ClassDef) and cls.name == "Box"
        for node in cls.body
        if isinstance(node, ast.FunctionDef) and node.name == "__new__"
    )
    *statements, returned = map(ast.unparse, constructor.body)
    _, values, tags = re.fullmatch(r"return intern\((.+), (.+), (.+)\)", returned).groups()  # type: ignore[union-attr]
    # A value that is its own tag has no line for its tag.
    tag = statements.pop().removeprefix("tags = ") if tags == "tags" else "(x,)"
    assert statements.pop() == "values = (x,)"
    assert values == "values"
    written = " ".join(statements).replace("'", '"')
    return written, tag.removeprefix("(").removesuffix(",)")


def test_every_static_type_is_in_the_table() -> None:
    assert list(_rows()) == list(TYPES)


@pytest.mark.parametrize(
    ("row", "type"), [(row, type) for row, types in TYPES.items() for type in types]
)
def test_generated_conversion_matches_the_table(row: str, type: str) -> None:
    statement, tag = _rows()[row]
    statements, tags = _generated(type)
    if statement == "as for int":
        statement = f'if type(x) is not {type}: x = as_{type}(x, cls, "x")'
    written = "" if statement == "none" else statement.replace("the statement of T", "...")
    assert matches(written, statements)
    assert matches(TAGS.get(tag, tag), tags)


def test_every_module_of_the_run_time_is_described() -> None:
    page = MAINTAINERS.read_text(encoding="utf-8")
    table = page.partition("| module | contains |")[2].partition("\n\n")[0]
    first_cells = " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
    found = [
        path.stem for path in (ROOT / "codegen/runtime").iterdir() if path.suffix in ("", ".py")
    ]
    modules = {name for name in found if not name.startswith("__")}
    assert {*re.findall(r"`(\w+)`", first_cells)} == modules


def test_every_pragma_has_a_reason() -> None:
    template = (ROOT / "templates" / "module.py.jinja").read_text(encoding="utf-8")
    pragmas = "".join(re.findall(r"^# (?:ruff|mypy|pyright): (.*\n)", template, re.MULTILINE))
    page = GENERATED.read_text(encoding="utf-8")
    section = page.partition("## Comments for linters and type checkers\n")[2].partition("\n## ")[0]
    first_cells = " ".join(re.findall(r"^\| (.*?) \|", section, re.MULTILINE))
    code = r"\b[A-Z]+\d+\b|\breport\w+|\b[a-z]+-[a-z-]*[a-z]\b"
    assert {*re.findall(code, first_cells)} == {*re.findall(code, pragmas)} - {"disable-error-code"}
