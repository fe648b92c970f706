"""Changed schemas: there is always a report or correct output, no traceback and no endless search."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from codegen.cli.main import main
from tests.hostile.schemas import HEAD, compiled
from tests.inputs import examples

CASES = Path(__file__).parents[1] / "cases"
LEGAL = sorted(
    text
    for folder in ("language", "generated")
    for path in (CASES / folder).rglob("*.pyi")
    if (text := path.read_text(encoding="utf-8"))
)
FRAGMENTS = [
    *("static[", "dynamic[", "donated[", "]", "[", "(", ")", ":", ",", "=", "|", "->", "...", "."),
    *("@", "class ", "def ", "from ", "import ", "lambda: 0", "None", "True", "1", "-1", "1e999"),
    *("0x10", '"', "'", '"""', "#", "\\", "\n", "\t", "    ", "\r", "\x0c", "\x00", "\u202e"),
    *("\ufeff", "int", "f32", "nx", "T", "self", "*", "**", "/", "//", "async ", "await "),
    *("field(", "Dim()", "impl", "share(", "init=", "convert=", '"m:f"', "dims=(nx,)"),
    *("abstract=True", "{{ x }}", "{% x %}", "\u00e9", "\ufb01", "if", "yield", ":=", "f'{x}'"),
    *("x" * 200, "9" * 5000),
]
_MANY = settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def changed(draw: st.DrawFn) -> str:
    """Draw a schema in which something was removed, duplicated, moved or inserted."""
    text = draw(st.sampled_from(LEGAL))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        kind = draw(st.sampled_from(["cut", "double", "insert", "move"]))
        if kind == "cut":
            text = text[:start] + text[end:]
        elif kind == "double":
            text = text[:end] + text[start:end] + text[end:]
        elif kind == "insert":
            text = text[:start] + draw(st.sampled_from(FRAGMENTS)) + text[start:]
        else:
            piece, text = text[start:end], text[:start] + text[end:]
            place = draw(st.integers(0, len(text)))
            text = text[:place] + piece + text[place:]
    return text


@given(changed())
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
        text = data.draw(changed() | st.sampled_from(LEGAL))
        path = folder / "schemas" / f"{name}.pyi"
        path.write_bytes(text.encode(errors="surrogatepass"))
    out = ["--out", str(folder / "generated"), "--no-cache"]
    status = main(["-q", "build", str(folder / "schemas"), *out])
    assert status in (0, 1)
    assert (folder / "generated").exists() == (status == 0)
    assert main(["-q", "check", str(folder / "schemas"), *out[:2]]) == status
