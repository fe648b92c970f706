"""The pages that `codegen explain` prints: their examples, built as schemas.

An example of several files is several blocks, each with the path of its file in its first line.
"""

from __future__ import annotations

import re

import pytest

from codegen import pipeline
from codegen.diagnostics import Code, Report, text
from codegen.diagnostics.pages import page
from codegen.options import Options

_BLOCK = re.compile(r"```python\n(?:# schemas/(?P<path>\S+)\.pyi\n)?(?P<schema>.*?)```", re.DOTALL)


def _files(code: Code, heading: str) -> list[pipeline.File]:
    part = page(code).partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = [(match["path"] or "a", match["schema"]) for match in _BLOCK.finditer(part)]
    return [(f"{path}.pyi", path.replace("/", "."), schema.encode()) for path, schema in found]


def _build(files: list[pipeline.File]) -> Report:
    return pipeline.run(files, Options("", "")).report


@pytest.mark.parametrize("code", [code for code in Code if _files(code, "Example")], ids=str)
def test_the_example_shows_the_mistake_alone(code: Code) -> None:
    found = _build(_files(code, "Example"))
    assert {one.code for one in found} == {code}, text.full(found)


@pytest.mark.parametrize("code", [code for code in Code if _files(code, "Write instead")], ids=str)
def test_what_to_write_instead_is_a_schema(code: Code) -> None:
    assert text.full(_build(_files(code, "Write instead"))) == ""


@pytest.mark.parametrize("code", Code, ids=str)
def test_lines_fit(code: Code) -> None:
    assert all(len(line) <= 100 for line in page(code).splitlines())
