"""Test `codegen build`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.emit.rendered import with_header
from codegen.output import stamp
from tests.cli.conftest import Capture, Run


def test_build_prints_summary_and_time(run: Run, capsys: Capture, project: Path) -> None:
    def told() -> str:
        streams = capsys.readouterr()
        assert streams.out == ""
        return re.sub(r"\d+\.\d\d s", "T s", streams.err)

    assert run("build") == 0
    assert told() == "built 2 modules: 3 written, 0 removed, 0 unchanged in T s\n"
    assert run("build") == 0
    assert told() == "up to date: 3 files in T s\n"
    assert run("build", "--no-cache") == 0
    assert told() == "up to date: 3 files in T s\n"
    (project / "schemas/plants/boiler.pyi").unlink()
    (project / "schemas/heat.pyi").write_text("more heat\n")
    assert run("build") == 0
    assert told() == "built 1 module: 1 written, 1 removed, 1 unchanged in T s\n"
    assert (project / "generated/heat.py").read_text() == with_header("more heat\n")
    assert not (project / "generated/plants").exists()


def test_unchanged_build_loads_no_compiler_stage(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("build") == 0
    monkeypatch.setitem(sys.modules, "codegen.pipeline", None)
    monkeypatch.delattr("codegen.pipeline")
    assert run("build") == 0
    (project / "generated/heat.py").unlink()
    assert run("build") == 2


def test_no_cache_option_writes_no_stamp(run: Run, project: Path) -> None:
    assert run("build", "--no-cache") == 0
    assert not (project.parent / "cache").exists()
    assert run("build") == 0
    assert len([*(project.parent / "cache/pytree-codegen").iterdir()]) == 1


def test_interrupted_build_leaves_no_stamp(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("build") == 0
    (project / "schemas/heat.pyi").write_text("more heat\n")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stopped)
    assert run("build") == 130
    place = stamp.place_of("schemas", "generated")
    assert place is not None
    assert not Path(place).exists()


def test_misnamed_schemas_stop_the_build(run: Run, capsys: Capture, project: Path) -> None:
    (project / "schemas/2d.pyi").write_text("")
    assert run("build") == 1
    told = capsys.readouterr().err
    assert told.startswith("error[BAD_FILE_NAME]: `2d` is not a valid name for a Python module")
    assert "schemas/2d.pyi" in told


def test_merge_driver_of_an_earlier_version_is_named(
    run: Run, capsys: Capture, project: Path
) -> None:
    path = project / ".gitattributes"
    path.write_text("generated/.codegen-manifest merge=codegen-manifest\n")
    assert run("build") == 0
    told = ".gitattributes: write `merge=union` instead of `merge=codegen-manifest`\n"
    assert told in capsys.readouterr().err


def test_edited_files_are_overwritten_only_with_force(
    run: Run, capsys: Capture, project: Path
) -> None:
    assert run("build") == 0
    edited = project / "generated/heat.py"
    edited.write_text(edited.read_text() + "mine\n")
    capsys.readouterr()
    assert run("build", "schemas") == 1
    told = capsys.readouterr().err
    assert "error[EDITED_OUTPUT]: `generated/heat.py` was edited or reformatted" in told
    assert "run `codegen build schemas --force` to overwrite the file" in told
    assert run("build", "--force") == 0
    assert edited.read_text() == with_header("heat\n")


def test_foreign_file_is_not_overwritten(run: Run, capsys: Capture, project: Path) -> None:
    mine = project / "generated/heat.py"
    mine.parent.mkdir()
    mine.write_text("mine\n")
    assert run("build", "--force") == 1
    told = capsys.readouterr().err
    assert "`generated/heat.py` is in the place of a generated file, but codegen" in told
    assert "move `generated/heat.py` away, or rename the schema" in told
    assert mine.read_text() == "mine\n"
    assert list(mine.parent.iterdir()) == [mine]


def test_edited_orphan_is_kept(run: Run, capsys: Capture, project: Path) -> None:
    assert run("build") == 0
    edited = project / "generated/heat.py"
    edited.write_text("mine\n")
    (project / "schemas/heat.pyi").unlink()
    assert run("build") == 1
    capsys.readouterr()
    assert run("build", "--force") == 0
    assert "kept, although no schema generates it: generated/heat.py\n" in capsys.readouterr().err
    assert edited.read_text() == "mine\n"
    assert run("check") == 0


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda: os.rename("schemas", "stubs"), "the schema folder `schemas` does not exist"),
        (lambda: Path("generated").write_text(""), "generated: is not a folder"),
        (lambda: os.symlink("none", "generated"), "generated: is not a folder"),
        (lambda: Path("schemas/pipe.pyi").symlink_to("/dev/null"), "out of the schema folder"),
        (
            lambda: Path("schemas/more").symlink_to("plants"),
            "schemas/more: is a symbolic link to a folder, but the schema folder may not contain such links",
        ),
        (
            lambda: Path("schemas/plants/out").symlink_to("/usr"),
            "schemas/plants/out: is a symbolic link to a folder, but the schema folder may not contain such links",
        ),
    ],
)
def test_build_that_cannot_run_exits_with_2(
    run: Run, capsys: Capture, project: Path, prepare: Callable[[], object], message: str
) -> None:
    prepare()
    assert run("build") == 2
    assert message in capsys.readouterr().err


def test_root_without_schemas_is_an_error_and_removes_nothing(
    run: Run, capsys: Capture, project: Path
) -> None:
    assert run("build") == 0
    (project / "empty").mkdir()
    capsys.readouterr()
    assert run("build", "empty") == 2
    assert capsys.readouterr().err == (
        "error: no schema (*.pyi) in `empty` (given on the command line); run `codegen init` to "
        "set up a project with a first schema, or `codegen build empty --force` to remove all "
        "output in `generated`\n"
    )
    assert (project / "generated/heat.py").exists()


def test_removing_the_last_schema_requires_force(run: Run, capsys: Capture, project: Path) -> None:
    assert run("build") == 0
    out = project / "generated"
    (out / "mine.txt").write_text("mine\n")
    (out / "heat.py").write_text("edited\n")
    for schema in project.glob("schemas/**/*.pyi"):
        schema.unlink()
    assert run("build") == 2
    assert "or `codegen build --force` to remove all output in `generated`" in (
        capsys.readouterr().err
    )
    assert (out / "plants/boiler.py").exists()
    assert run("check") == 1
    assert capsys.readouterr().err == (
        "no schema (*.pyi) in `schemas` (the default, because neither ROOT nor `root` in "
        "[tool.codegen] is given)\n"
        "orphaned: generated/.codegen-manifest\n"
        "orphaned: generated/plants/boiler.py\n"
        "orphaned: generated/py.typed\n"
        "run `codegen build --force`\n"
    )
    assert run("build", "--force") == 0
    assert "kept, although no schema generates it: generated/heat.py\n" in (
        told := capsys.readouterr().err
    )
    assert "no schema is left: 2 files removed in " in told
    assert sorted(path.name for path in out.iterdir()) == ["heat.py", "mine.txt"]
    assert run("check") == 2
    assert run("build", "--force") == 2


@pytest.mark.parametrize("out", ["schemas", "schemas/generated", "./schemas/../schemas"])
def test_output_inside_the_schema_folder_is_an_error(
    run: Run, capsys: Capture, project: Path, out: str
) -> None:
    assert run("build", "--out", out) == 2
    assert "is inside the schema folder" in capsys.readouterr().err


@pytest.mark.parametrize("verb", [("lint",), ("show", "--stage", "view")])
def test_commands_without_output_run_inside_the_schema_folder(
    run: Run, capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...]
) -> None:
    monkeypatch.chdir(project / "schemas")
    run(*verb, ".")
    assert "is inside the schema folder" not in capsys.readouterr().err


def test_schema_folder_as_argument(run: Run, project: Path) -> None:
    assert run("build", "schemas/plants", "--out", "gen/deep") == 0
    names = sorted(path.name for path in (project / "gen/deep").iterdir())
    assert names == [".codegen-manifest", "boiler.py", "py.typed"]
