"""The same schemas give the same bytes in any environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen import pipeline
from codegen.options import Options
from codegen.output.schemas import schemas
from tests.promises.project import CHECKOUT, SCHEMAS, Project, new, stamps, texts

# The test cases of the language contain every construct.
CASES = sorted(path.parent for path in CHECKOUT.glob("tests/cases/language/*/expected"))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    project = new(tmp_path_factory.mktemp("same") / "project")
    _add_the_language(project)
    project.build()
    return texts(project.out)


def _add_the_language(project: Project) -> None:
    for case in CASES:
        for schema in case.rglob("*.pyi"):
            target = project.folder / "schemas" / case.name / schema.relative_to(case)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(schema, target)


@pytest.mark.parametrize(
    "variables",
    [
        {
            "PYTHONHASHSEED": "0",
            "PYTHONOPTIMIZE": "2",
            "PYTHONINTMAXSTRDIGITS": "640",
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "TZ": "Pacific/Apia",
        },
        {
            "PYTHONHASHSEED": "4294967295",
            "LC_ALL": "tr_TR.UTF-8",
            "LANG": "tr_TR.UTF-8",
            "TZ": "UTC-14",
            "PYTHONIOENCODING": "ascii",
            "SOURCE_DATE_EPOCH": "0",
            "COLUMNS": "10",
            "USER": "somebody",
            "HOME": "/nonexistent",
            "HOSTNAME": "elsewhere",
        },
    ],
    ids=["C", "tr_TR"],
)
def test_output_does_not_depend_on_environment_variables(
    tmp_path: Path, expected: dict[str, bytes], variables: dict[str, str]
) -> None:
    project = new(tmp_path / "project", variables=variables)
    _add_the_language(project)
    project.build()
    assert texts(project.out) == expected


@pytest.mark.parametrize("name", ["-q", "größe\u4e2d $(id)'\"", "schemas/deep/" * 10])
def test_output_does_not_depend_on_the_name_of_the_folder(
    tmp_path: Path, expected: dict[str, bytes], name: str
) -> None:
    project = new(tmp_path / name / "project")
    _add_the_language(project)
    project.build()
    assert texts(project.out) == expected


def test_output_does_not_depend_on_how_folders_are_given(
    tmp_path: Path, expected: dict[str, bytes]
) -> None:
    project = new(tmp_path / "project")
    _add_the_language(project)
    (tmp_path / "link").symlink_to(project.folder)
    elsewhere = Project(tmp_path)
    elsewhere.build("link/schemas", "--out", "here/out")
    elsewhere.build(str(project.folder / "schemas"), "--out", str(tmp_path / "absolute"))
    assert texts(tmp_path / "here/out") == texts(tmp_path / "absolute") == expected


@pytest.fixture(params=["sorted", "reversed"])
def order(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reverse or keep the order in which the system lists files."""
    scandir = os.scandir

    class Listed:
        def __init__(self, path: str) -> None:
            with scandir(path) as found:
                self.entries = sorted(found, key=lambda entry: entry.name)
            if request.param == "reversed":
                self.entries.reverse()

        def __iter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self.entries)

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self.entries)

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(os, "scandir", Listed)


@pytest.mark.usefixtures("order")
def test_output_does_not_depend_on_the_order_of_files(
    tmp_path: Path, expected: dict[str, bytes]
) -> None:
    project = new(tmp_path / "project")
    _add_the_language(project)
    found = schemas(str(project.folder / "schemas"))
    for files in (found, found[::-1]):
        compiled = pipeline.compile(files, Options("schemas", "generated"))
        made = {file.path: file.text.encode() for file in compiled.rendered}
        assert made == {path: text for path, text in expected.items() if path in made}
        assert expected.keys() - made.keys() == {".codegen-manifest"}


def test_output_does_not_depend_on_earlier_output(
    tmp_path: Path, expected: dict[str, bytes]
) -> None:
    project = new(tmp_path / "project", {"old.pyi": "", **SCHEMAS})
    project.build()
    project.write()
    _add_the_language(project)
    project.build()
    assert texts(project.out) == expected


def test_committed_output_is_the_same_with_this_python() -> None:
    """The bytes in the repository come from one Python version. CI runs this test on others."""
    files = schemas(str(CHECKOUT / "schemas"))
    compiled = pipeline.compile(files, Options("schemas", "generated"))
    made = {file.path: file.text.encode() for file in compiled.rendered}
    committed = texts(CHECKOUT / "generated")
    for other in [path for path in committed if "__pycache__" in path]:
        del committed[other]
    del committed[".codegen-manifest"]
    assert made == committed


def test_output_contains_no_path_time_or_version(expected: dict[str, bytes]) -> None:
    from codegen import __version__

    for path, text in expected.items():
        for word in (
            str(CHECKOUT),
            str(Path.home()),
            "pytest-of",
            f"codegen {__version__}",
            "codegen.schema",
        ):
            assert word.encode() not in text, path


# --- times


def test_unchanged_files_keep_their_times(tmp_path: Path) -> None:
    project = new(tmp_path / "project")
    project.build()
    before = stamps(project.folder)
    for words in ((), ("--no-cache",), ("--force",)):
        project.build(*words)
        assert stamps(project.folder) == before


def test_one_schema_changes_one_file_and_the_manifest(tmp_path: Path) -> None:
    project = new(tmp_path / "project")
    project.build()
    before = stamps(project.out)
    steel = project.folder / "schemas/steel.pyi"
    steel.write_text(steel.read_text().replace("7850.0", "7900.0"))
    project.build()
    after = stamps(project.out)
    files = {os.path.relpath(path, project.out) for path in after if after[path] != before[path]}
    assert files == {".", "steel.py", ".codegen-manifest"}


def test_a_touched_schema_changes_nothing(tmp_path: Path) -> None:
    project = new(tmp_path / "project")
    project.build()
    before = stamps(project.out)
    for path in (project.folder / "schemas").rglob("*.pyi"):
        path.write_bytes(path.read_bytes())
        os.utime(path, (1, 1))
    project.build()
    project.build("--no-cache")
    assert stamps(project.out) == before
