"""The text of generated modules for small schemas, where it depends on the schema."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.emit.rendered import Rendered
from codegen.options import Options
from codegen.output.snapshot import is_there


def _generated(schema: str) -> str:
    """Return the text of the generated module."""
    files = [("schemas/heat.pyi", "heat", schema.encode())]
    made = pipeline.compile(files, Options("schemas", "generated"))
    assert not made.report, made.report
    return next(file.text for file in made.rendered if file.path == "heat.py")


def test_removed_standard_modules_keep_their_import_order() -> None:
    """Otherwise other Python versions would generate other bytes."""
    text = _generated("""\
from telnetlib import Telnet

from codegen.schema import f32, dynamic, static

class Line:
    open: static[Telnet]
    u: dynamic[f32]
""")
    assert text.index("import Telnet") < text.index("from jax import")


def test_forward_reference_in_a_base_is_a_string() -> None:
    """Unlike an annotation, a base is evaluated."""
    text = _generated("""\
from typing import Generic, TypeVar

from codegen.schema import static

T = TypeVar("T")

class Leaf:
    n: static[int]

class Node(Generic[T]):
    x: static[T]

class Tree(Node[Tree | None]):
    n: static[int]

class Other(Node[Leaf]):
    n: static[int]
""")
    assert '\nclass Tree(Node["Tree | None"]):\n' in text
    assert "\nclass Other(Node[Leaf]):\n" in text


def test_future_import_is_written_only_if_there_are_annotations() -> None:
    future = "from __future__ import annotations\n"
    names = """\
from enum import Enum

from codegen.schema import Dim, f32, impl

n = Dim()
Field = f32[n, n]

class Scheme(Enum):
    EXPLICIT = "explicit"
"""
    assert future not in _generated(names)
    assert future in _generated(f"{names}\nclass Grid: ...\n")
    assert future in _generated(f'{names}\n@impl("heat_model:step")\ndef step() -> Field: ...\n')


def test_only_files_that_are_written_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [(f"{name}.pyi", name, b"") for name in ("heat", "steel")]
    parsed: list[str] = []
    monkeypatch.setattr(pipeline, "read_back", lambda file, _=None: parsed.append(file.path))
    whole = pipeline.compile(files, Options("", "generated"))
    assert {"heat.py", "steel.py"} < {*parsed}
    parsed.clear()
    some = pipeline.compile(files, Options("", "generated"), lambda file: file.path == "heat.py")
    assert "steel.py" in parsed
    assert "heat.py" not in parsed
    assert some == whole


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"x = 2\n"),
        lambda path: path.write_bytes(b"x = 1\r\n"),
        Path.unlink,
        lambda path: path.symlink_to(path.rename(path.with_name("y.py"))),
    ],
)
def test_is_there_requires_equal_bytes(tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    file = Rendered("x.py", "x = 1\n")
    (tmp_path / "x.py").write_text(file.text)
    assert is_there(str(tmp_path), file)
    spoil(tmp_path / "x.py")
    assert not is_there(str(tmp_path), file)
