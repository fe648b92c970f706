"""The compiler of the playground: an archive with a stand-in for msgspec.

Node and a browser are not needed: the archive runs on CPython, without any installed package.
"""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"
# Each line is a module name and a schema; each answer a line of JSON.
_COMPILE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import compiling
for line in sys.stdin:
    module, schema = json.loads(line)
    print(compiling.compile(module, schema))
"""


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked archive of the compiler."""
    folder = tmp_path_factory.mktemp("compiler")
    compiler = _imported(ROOT / ".ci" / "playground.py").compiler()
    zipfile.ZipFile(io.BytesIO(compiler)).extractall(folder)
    return folder


def _schemas() -> list[tuple[str, str]]:
    """The examples, and the schemas of all test cases that are one text."""
    paths = [
        *(ROOT / "schemas").glob("*.pyi"),
        *CASES.glob("*/*/*/*.pyi"),
        *CASES.glob("*/*/*.pyi"),
    ]
    found = []
    for path in sorted(paths):
        try:
            found.append((path.stem, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return found


def _answers(program: list[str], schemas: list[tuple[str, str]]) -> list[dict[str, Any]]:
    lines = "".join(f"{json.dumps(schema)}\n" for schema in schemas)
    done = subprocess.run(
        program, input=lines, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for answer in answers:
        assert answer.pop("seconds") > 0
    return answers


def test_compiler_of_the_playground_gives_what_codegen_gives(archive: Path) -> None:
    schemas = _schemas()
    # `-S`: no installed package can be imported.
    stood_in = _answers([sys.executable, "-I", "-S", "-c", _COMPILE, str(archive)], schemas)
    program = _COMPILE.replace("insert(0, sys.argv[1])", "append(sys.argv[1])")
    installed = _answers([sys.executable, "-c", program, str(archive)], schemas)
    assert len(stood_in) == len(schemas)
    assert any(answer["output"] for answer in installed)
    assert any(answer["diagnostics"] for answer in installed)
    assert stood_in == installed


def test_examples_of_the_page_build_without_a_mistake(archive: Path) -> None:
    page = (ROOT / "docs" / "playground.md").read_text(encoding="utf-8")
    names = [part.split('"')[0] for part in page.split('<option value="')[1:]]
    assert len(names) == 6
    schemas = [
        (name, (ROOT / "schemas" / f"{name}.pyi").read_text(encoding="utf-8")) for name in names
    ]
    for name, answer in zip(
        names,
        _answers([sys.executable, "-I", "-S", "-c", _COMPILE, str(archive)], schemas),
        strict=True,
    ):
        assert answer["diagnostics"] == []
        assert answer["output"] == (ROOT / "generated" / f"{name}.py").read_text(encoding="utf-8")


def test_diagnostic_has_its_place_text_and_page(archive: Path) -> None:
    schema = "from codegen.schema import static\n\nclass A:\n    x: static[floot]\n"
    (answer,) = _answers(
        [sys.executable, "-I", "-S", "-c", _COMPILE, str(archive)], [("a", schema)]
    )
    (found,) = answer["diagnostics"]
    assert schema[found["start"] : found["end"]] == "floot"
    assert found["text"].startswith("error[UNKNOWN_NAME]: `floot`")
    assert found["page"].startswith("# UNKNOWN_NAME\n")
    assert found["path"] == "schemas/a.pyi"
    assert answer["output"] == ""
