"""The run time as a package and as a copy: the same files, results and errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from codegen.emit.rendered import with_header
from tests import forked
from tests.generated.package import PROJECT, rendered, write

HERE = Path(__file__).parent
RUN_TIME = PROJECT / "codegen" / "runtime"
# The modules of `codegen` beside the run time. `installation` has the version.
GENERATOR = [
    path.stem
    for path in (PROJECT / "codegen").iterdir()
    if path.stem not in ("runtime", "__init__", "installation")
]


def _outcomes(folder: Path, form: str) -> dict[str, list[str]]:
    """Run all programs with one form of the run time; return what each gives or raises."""
    write(rendered(HERE / "schemas", runtime=form), folder, "plates")
    for name in ("programs.py", "both_impl.py"):
        shutil.copy(HERE / name, folder)
    env = {"PYTHONPATH": str(PROJECT) if form == "package" else ""}
    done = forked.run("programs.py", form, *GENERATOR, cwd=folder, env=env)
    return {name: outcome for name, *outcome in map(json.loads, done.stdout.splitlines())}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[str]]]:
    forms = ("package", "vendored")
    return {form: _outcomes(tmp_path_factory.mktemp(form), form) for form in forms}


def test_programs_give_the_same_results_and_errors(
    outcomes: dict[str, dict[str, list[str]]],
) -> None:
    """Neither process can import the generator or its dependencies, and one has no `codegen`."""
    package, vendored = outcomes["package"], outcomes["vendored"]
    assert package.keys() == vendored.keys()
    assert {name for name in package if package[name] != vendored[name]} == set()
    raised = {name for name, (kind, *_) in package.items() if kind != "gives"}
    assert raised == {name for name in package if name.startswith("refused_")}


def test_copy_differs_from_the_package_only_in_its_head() -> None:
    copied = {
        file.path.removeprefix("_runtime/"): file.text
        for file in rendered(HERE / "schemas", runtime="vendored")
        if file.path.startswith("_runtime/")
    }
    paths = {path.relative_to(RUN_TIME).as_posix(): path for path in RUN_TIME.rglob("*.py")}
    assert copied.keys() == paths.keys()
    for name, path in paths.items():
        head = copied[name].removesuffix(path.read_text(encoding="utf-8"))
        assert all(line.startswith("#") for line in head.splitlines()), name
        assert head == with_header(head.partition("\n")[2]), name


def test_other_files_differ_only_in_the_import() -> None:
    """With the package, no file is written but one for each schema, and the package's own."""
    package, vendored = (
        {file.path: file.text for file in rendered(HERE / "schemas", runtime=form)}
        for form in ("package", "vendored")
    )
    assert {*package} == {"__init__.py", "plates.py", "py.typed"}
    for path, text in package.items():
        lines, copied = (
            [line for line in one.splitlines() if line] for one in (text, vendored[path])
        )
        if path == "plates.py":
            lines.remove("from codegen import runtime as _rt")
            copied.remove("from . import _runtime as _rt")
        assert lines == copied
