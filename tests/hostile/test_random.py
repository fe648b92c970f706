"""Random schemas, also with random changes: there is always a report or correct output.

No input causes a traceback or an endless search. Accepted schemas import, pass type checks, and contain exactly the
declared classes and fields.
"""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from codegen.cli.main import main
from tests.generated import checkers
from tests.generated.package import forget, write
from tests.hostile.grammar import ALWAYS, HEAD, Schema, mutated, schemas
from tests.hostile.schemas import compiled
from tests.inputs import examples

_counter = itertools.count()
# Past findings, which must remain fixed.
FOUND = [
    # A mapping of dtypes was not converted to one whose keys are dtypes.
    "    x: static[frozendict[str, frozendict[str, dtype]]]\n    y: static[frozendict[str, bool | dtype]]\n",
    # Python refuses a surrogate in the docstring of a class.
    '    """\\ud800"""\n    x: static[int]\n    y: static[int]\n',
]
_MANY = settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))


@given(mutated())
@_MANY
def test_random_text_is_rejected_or_compiled(text: str) -> None:
    compiled({"a/heat.pyi": text})


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda t: t.encode(errors="replace")))
@example(b"\xef\xbb\xbf\xef\xbb\xbf")
@example(b"x: static[int] = \\\n")
@_MANY
def test_random_bytes_are_rejected_or_compiled(data: bytes) -> None:
    compiled({"heat.pyi": data})
    compiled({"heat.pyi": HEAD.encode() + data})


@given(data=st.data())
@settings(_MANY, max_examples=examples(10))
def test_command_exits_with_0_or_1_for_random_schemas(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Status 2 means that the command cannot run, which does not depend on schemas."""
    folder = tmp_path_factory.mktemp("random")
    (folder / "schemas").mkdir()
    for name in ("one", "two"):
        text = data.draw(mutated() | schemas().map(lambda schema: schema.text))
        path = folder / "schemas" / f"{name}.pyi"
        path.write_bytes(text.encode(errors="surrogatepass"))
    out = ["--out", str(folder / "generated"), "--no-cache"]
    status = main(["-q", "build", str(folder / "schemas"), *out])
    assert status in (0, 1)
    assert (folder / "generated").exists() == (status == 0)
    assert main(["-q", "check", str(folder / "schemas"), *out[:2]]) == status


def _accepted(count: int) -> list[Schema]:
    """Draw random legal schemas at once, because checking them one by one takes hours."""
    found: list[Schema] = []

    @settings(_MANY, max_examples=examples(count), phases=[Phase.generate], database=None)
    @given(schemas())
    def collect(schema: Schema) -> None:
        if not compiled({"heat.pyi": schema.text}).report:
            found.append(schema)

    collect()
    return found


def test_accepted_random_schemas_import_and_type_check(site: Path) -> None:
    accepted = [
        Schema(f"{HEAD}class Made:\n{text}", {**ALWAYS, "Made": ["x", "y"]}) for text in FOUND
    ]
    accepted += _accepted(50)
    assert len(accepted) > 8, "the grammar has lost its way: hardly any schema is legal"
    files = {f"made{number}.pyi": schema.text for number, schema in enumerate(accepted)}
    package = write(compiled(files).rendered, site, f"random_{next(_counter)}")
    try:
        for number, schema in enumerate(accepted):
            module = package.load(f"made{number}")
            _require_declared_names(module, schema)
        found = checkers.mypy(site, [package.name])
        assert [one for one in found if one.code != "import-not-found"] == []
    finally:
        forget(package.name)


def _require_declared_names(module: object, schema: Schema) -> None:
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == getattr(module, "__name__", "")
    }
    enums = {"Level"}
    # Each class has a builder class.
    own = {
        name: cls for name, cls in own.items() if name.removeprefix("_") not in own.keys() - {name}
    }
    assert own.keys() == {*schema.declared, *enums}
    for name, fields in schema.declared.items():
        held = [f.name for f in dataclasses.fields(own[name]) if f.name != "__codegen_key__"]
        assert held == fields
