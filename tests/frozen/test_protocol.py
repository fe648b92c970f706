"""What generated modules and the support package expect of each other: see `protocol-v2.txt`.

It lists what generated modules import, the parameters of these functions, the attributes that modules set, and the
members of generated classes and functions. If the list changes, output of an earlier version may fail with
`runtime = "package"`. So increment `PROTOCOL`, in `codegen/runtime/__init__.py`, and run
`pytest tests/frozen/test_protocol.py --update`, which records the new list and never changes an old one.
(Until 1.0.0 is released, delete the old list instead.)
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.runtime import PROTOCOL
from codegen.schema.names import DRAFT_MEMBERS, INIT_MEMBERS, MEMBERS, TAG_MEMBERS
from tests.generated import package

TESTS = Path(__file__).parents[1]
RECORDED = Path(__file__).parent / f"protocol-v{PROTOCOL}.txt"
SUPPORT = "codegen.runtime"
# The values of these modules have no members that generated modules or users need.
INTERNAL = (f"{SUPPORT}.declared", f"{SUPPORT}.keys")


class _Default:
    def __repr__(self) -> str:
        return "..."


def _generated() -> Iterator[str]:
    """Return modules that use every construct of the language."""
    options = Options("", "out", runtime="package")
    for topic in ("drafts", "generated", "refs", "sharing"):
        compiled = pipeline.compile(schemas(str(TESTS / topic / "schemas")), options)
        yield from (file.text for file in compiled.rendered)
    yield from (file.text for file in package.cases())


def _imported(text: str) -> set[tuple[str, str]]:
    return {
        (str(node.module), alias.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(SUPPORT)
        for alias in node.names
    }


def _signature(value: object) -> str:
    """Return the names and kinds of parameters. Annotations and defaults may change."""
    if not callable(value) or (isinstance(value, type) and issubclass(value, enum.Enum)):
        return ""
    parameters = [
        one.replace(
            annotation=inspect.Parameter.empty,
            default=one.default if one.default is inspect.Parameter.empty else _Default(),
        )
        for one in inspect.signature(value).parameters.values()
    ]
    return str(inspect.Signature(parameters))


def _lines(module: str, name: str) -> Iterator[str]:
    value = getattr(importlib.import_module(module), name)
    place = f"{module}.{name}".removeprefix(f"{SUPPORT}.")
    yield place + _signature(value)
    if isinstance(value, type) and module not in INTERNAL:
        bases = [base for base in value.__mro__ if base.__module__.startswith(SUPPORT)]
        names = {one for base in bases for one in vars(base) if not one.startswith("_")}
        yield from (f"{place}.{one}" for one in names)


def test_protocol_is_as_recorded(pytestconfig: pytest.Config) -> None:
    texts = [*_generated()]
    # `register_dataclass(cls, **known)` passes its keywords to `Record`.
    imported = {(f"{SUPPORT}.classes.registration", "Record")}.union(*map(_imported, texts))
    for module, _ in imported:  # Some add to others when they are imported.
        importlib.import_module(module)
    found = {line for one in imported for line in _lines(*one)}
    found |= {name for text in texts for name in re.findall(r"\b__codegen_\w+__", text)}
    found |= {f"reserved: {name}" for name in MEMBERS | DRAFT_MEMBERS | TAG_MEMBERS | INIT_MEMBERS}
    if pytestconfig.getoption("--update") and not RECORDED.exists():
        RECORDED.write_text("".join(f"{line}\n" for line in sorted(found)), encoding="utf-8")
    changed = found.symmetric_difference(RECORDED.read_text(encoding="utf-8").splitlines())
    assert not changed, "raise PROTOCOL: see the top of this file"
