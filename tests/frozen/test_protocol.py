"""What generated modules use of the run time: see `protocol-v2.txt`.

It lists the names that generated modules take from `codegen.runtime`, with the parameters of functions and the
members of classes, and the attributes that modules set. If the list changes, output of an earlier version may fail.
So increment `PROTOCOL`, in `codegen/runtime/__init__.py`, and run `pytest tests/frozen/test_protocol.py --update`,
which records the new list and never changes an old one. (Until 1.0.0 is released, delete the old list instead.)
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen import pipeline, runtime
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.runtime import PROTOCOL, declared
from codegen.runtime.classes.registration import Record
from codegen.schema.names import DRAFT_MEMBERS, INIT_MEMBERS, MEMBERS, TAG_MEMBERS
from tests.generated import package

TESTS = Path(__file__).parents[1]
# The names that docs/generated.md lists and that no generated module uses.
FOR_USERS = {
    "ConsumedError", "DonationWarning", "DraftError", "RetraceError", "RetraceWarning",
    "assert_same_everywhere", "diff", "jit", "max_traces", "preserve_identities", "settings", "stack",
    "table", "traces_as_json", "unstack", "upgrade",
}  # fmt: skip
RECORDED = Path(__file__).parent / f"protocol-v{PROTOCOL}.txt"


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


def _used(text: str) -> set[str]:
    """Return the names that a module takes from the run time, such as "as_int" of `_rt.as_int`."""
    return {
        node.attr
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "_rt"
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


def _lines(name: str, value: Any) -> Iterator[str]:
    yield name + _signature(value)
    # No module needs a member of the descriptions of types.
    if isinstance(value, type) and value.__module__ != declared.__name__:
        bases = [base for base in value.__mro__ if base.__module__.startswith(runtime.__name__)]
        names = {one for base in bases for one in vars(base) if not one.startswith("_")}
        yield from (f"{name}.{one}" for one in names)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [*_generated()]


def test_every_name_is_for_generated_modules_or_for_users(texts: list[str]) -> None:
    assert {*vars(runtime)["_HOMES"]} - set[str]().union(*map(_used, texts)) == FOR_USERS


def test_protocol_is_as_recorded(texts: list[str], pytestconfig: pytest.Config) -> None:
    used = {name: getattr(runtime, name) for name in sorted(set[str]().union(*map(_used, texts)))}
    # `register_dataclass(cls, **known)` passes its keywords to `Record`.
    found = {line for one in {**used, "Record": Record}.items() for line in _lines(*one)}
    found |= {name for text in texts for name in re.findall(r"\b__codegen_\w+__", text)}
    found |= {f"reserved: {name}" for name in MEMBERS | DRAFT_MEMBERS | TAG_MEMBERS | INIT_MEMBERS}
    if pytestconfig.getoption("--update") and not RECORDED.exists():
        RECORDED.write_text("".join(f"{line}\n" for line in sorted(found)), encoding="utf-8")
    changed = found.symmetric_difference(RECORDED.read_text(encoding="utf-8").splitlines())
    assert not changed, "raise PROTOCOL: see the top of this file"
