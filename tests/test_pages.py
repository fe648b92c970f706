"""The examples on the pages of `codegen explain`, compiled as schemas.

An example with several files has several blocks. The first line of each has the path of its file.
`# heat_model.py` is a Python module.
"""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

from codegen import pipeline
from codegen.diagnostics import Code, Report, Severity, text
from codegen.diagnostics.pages import RUN_TIME, page
from codegen.diff.comparison import CHANGES, KINDS
from codegen.lint.lint import LINTS
from codegen.options import Options
from tests.inputs import over

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(
    r"```python\n(?!# \w+\.py\n)(?:# (?P<folder>schemas|previous|current)/(?P<path>\S+)\.pyi\n)?(?P<schema>.*?)```",
    re.DOTALL,
)


_PYTHON = re.compile(r"```python\n# (\w+)\.py\n(.*?)```", re.DOTALL)


def _files(code: Code, heading: str, *folders: str) -> list[pipeline.File]:
    """Return the files of a section of a page that are in `folders`, by default in none or in `schemas`."""
    part = page(code).partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = [
        (match["path"] or "a", match["schema"])
        for match in _BLOCK.finditer(part)
        if (match["folder"] or "schemas") in (folders or ("schemas",))
    ]
    return [(f"{path}.pyi", path.replace("/", "."), schema.encode()) for path, schema in found]


def _build(files: list[pipeline.File], code: Code) -> Report:
    """Return the report about the schemas, or the findings of a lint."""
    if code not in LINTS:
        return pipeline.run(files, Options("", "")).report
    chosen = LINTS if code is Code.UNUSED_IGNORE else {code}
    python = dict(_PYTHON.findall(page(code))).get
    found = pipeline.lint(files, Options("", ""), chosen, python)
    return Report(one for one in found if one.code is code or one.severity is Severity.ERROR)


@over([code for code in Code if _files(code, "Example")])
def test_example_has_only_the_error_of_its_page(code: Code) -> None:
    found = _build(_files(code, "Example"), code)
    assert {one.code for one in found} == {code}, text.full(found)


@over(sorted(CHANGES))
def test_example_has_the_change_of_its_page(code: Code) -> None:
    old, new = (
        pipeline.run(_files(code, "Example", folder), Options("", ""), "checked")
        for folder in ("previous", "current")
    )
    assert not old.report
    assert not new.report
    assert code in {one.code for one in pipeline.breaking(old, new, KINDS)}


@over([code for code in Code if _files(code, "Write instead")])
def test_corrected_example_is_valid(code: Code) -> None:
    assert text.full(_build(_files(code, "Write instead"), code)) == ""


@over(Code)
def test_lines_of_pages_fit_a_terminal(code: Code) -> None:
    assert all(len(line) <= 100 for line in page(code).splitlines())


def _raised_classes() -> set[str]:
    """Return the public errors and warnings of the runtime and of the import hook."""
    found = {"SchemaError"}
    for path in (ROOT / "codegen" / "runtime").rglob("*.py"):
        folder = path.parent.relative_to(ROOT)
        name = ".".join((*folder.parts, path.stem)).removesuffix(".__init__")
        module = importlib.import_module(name)
        found |= {
            kind.__name__
            for kind in vars(module).values()
            if isinstance(kind, type)
            and issubclass(kind, Exception)
            and kind.__module__.startswith("codegen.runtime")
            and kind.__name__.endswith(("Error", "Warning"))
        }
    return found


def test_every_runtime_error_has_a_page() -> None:
    assert _raised_classes() == {*RUN_TIME}
    folder = ROOT / "codegen" / "diagnostics" / "run_time"
    assert {path.stem for path in folder.iterdir()} == {*RUN_TIME}


@over(sorted(RUN_TIME))
def test_pages_of_runtime_errors_have_all_sections(name: str) -> None:
    text = page(name)
    assert text.startswith(f"# {name}\n\n")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Why",
        "## Example",
        "## Write instead",
    ]
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        ast.parse(block)
    assert all(len(line) <= 100 for line in text.splitlines())
