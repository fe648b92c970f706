"""`codegen build`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.emit.rendered import with_header
from codegen.output import stamp


def test_build_says_what_it_did_and_how_long_it_took(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path
) -> None:
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


def test_a_build_that_finds_nothing_to_do_loads_no_stage(
    run: Callable[..., int], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("build") == 0
    monkeypatch.setitem(sys.modules, "codegen.pipeline", None)
    monkeypatch.delattr("codegen.pipeline")
    assert run("build") == 0
    (project / "generated/heat.py").unlink()
    assert run("build") == 2


def test_without_cache_there_is_no_record(run: Callable[..., int], project: Path) -> None:
    assert run("build", "--no-cache") == 0
    assert not (project.parent / "cache").exists()
    assert run("build") == 0
    kept = (project.parent / "cache/pytree-codegen").iterdir()
    assert sorted(path.suffix for path in kept) == ["", ".modules"]


def test_a_build_that_is_killed_leaves_no_record(
    run: Callable[..., int], project: Path, monkeypatch: pytest.MonkeyPatch
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


def test_diagnostics_stop_the_build(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    (project / "schemas/heat.pyi").write_text("this is wrong\n")
    assert run("build", "--output-format", "concise") == 1
    assert capsys.readouterr() == (
        "",
        "schemas/heat.pyi:1:9: error[OUTSIDE_LANGUAGE] `wrong` is wrong\n",
    )
    assert not (project / "generated").exists()


def test_misnamed_schemas_stop_the_build(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    (project / "schemas/2d.pyi").write_text("")
    assert run("build") == 1
    told = capsys.readouterr().err
    assert told.startswith("error[BAD_FILE_NAME]: `2d` is not a name that a Python module can have")
    assert "schemas/2d.pyi" in told


def test_edited_files_need_force(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    assert run("build") == 0
    edited = project / "generated/heat.py"
    edited.write_text(edited.read_text() + "mine\n")
    capsys.readouterr()
    assert run("build", "schemas") == 1
    told = capsys.readouterr().err
    assert "error[EDITED_OUTPUT]: `generated/heat.py` was edited or reformatted" in told
    assert "`codegen build schemas --force` overwrites it" in told
    assert run("build", "--force") == 0
    assert edited.read_text() == with_header("heat\n")


def test_what_was_never_ours_is_not_overwritten(run: Callable[..., int], project: Path) -> None:
    mine = project / "generated/heat.py"
    mine.parent.mkdir()
    mine.write_text("mine\n")
    assert run("build", "--force") == 1
    assert mine.read_text() == "mine\n"
    assert list(mine.parent.iterdir()) == [mine]


def test_an_edited_orphan_is_left_alone(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    assert run("build") == 0
    edited = project / "generated/heat.py"
    edited.write_text("mine\n")
    (project / "schemas/heat.pyi").unlink()
    assert run("build") == 1
    capsys.readouterr()
    assert run("build", "--force") == 0
    assert "left alone, as no schema makes it: generated/heat.py\n" in capsys.readouterr().err
    assert edited.read_text() == "mine\n"
    assert run("check") == 0


@pytest.mark.parametrize(
    ("prepare", "told"),
    [
        (lambda: os.rename("schemas", "stubs"), "the schema folder `schemas` does not exist"),
        (lambda: Path("generated").write_text(""), "generated: is not a folder"),
        (lambda: os.symlink("none", "generated"), "generated: is not a folder"),
        (lambda: Path("schemas/pipe.pyi").symlink_to("/dev/null"), "out of the schema folder"),
        (
            lambda: Path("schemas/more").symlink_to("plants"),
            "schemas/more: is a symbolic link to a folder, and none is followed",
        ),
        (
            lambda: Path("schemas/plants/out").symlink_to("/usr"),
            "schemas/plants/out: is a symbolic link to a folder, and none is followed",
        ),
    ],
)
def test_what_cannot_run(
    run: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    project: Path,
    prepare: Callable[[], object],
    told: str,
) -> None:
    prepare()
    assert run("build") == 2
    assert told in capsys.readouterr().err


def test_a_root_without_schemas_is_no_wish_to_remove_everything(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    assert run("build") == 0
    (project / "empty").mkdir()
    capsys.readouterr()
    assert run("build", "empty") == 2
    assert capsys.readouterr().err == (
        "error: no schema (*.pyi) below `empty`: an argument names this folder; `codegen init` "
        "sets up a project with a first schema, and `codegen build empty --force` removes what was "
        "made in `generated`\n"
    )
    assert (project / "generated/heat.py").exists()


def test_the_last_schema_goes(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    assert run("build") == 0
    out = project / "generated"
    (out / "mine.txt").write_text("mine\n")
    (out / "heat.py").write_text("edited\n")
    for schema in project.glob("schemas/**/*.pyi"):
        schema.unlink()
    assert run("build") == 2
    assert "and `codegen build --force` removes what was made in `generated`" in (
        capsys.readouterr().err
    )
    assert (out / "plants/boiler.py").exists()
    assert run("check") == 1
    assert capsys.readouterr().err == (
        "no schema (*.pyi) below `schemas`: it is the default, and neither an argument nor `root` "
        "of [tool.codegen] names another\n"
        "orphaned: generated/.codegen-manifest\n"
        "orphaned: generated/plants/boiler.py\n"
        "orphaned: generated/py.typed\n"
        "run `codegen build --force`\n"
    )
    assert run("build", "--force") == 0
    assert "left alone, as no schema makes it: generated/heat.py\n" in (
        told := capsys.readouterr().err
    )
    assert "no schema is left: 2 files removed in " in told
    assert sorted(path.name for path in out.iterdir()) == ["heat.py", "mine.txt"]
    assert run("check") == 2
    assert run("build", "--force") == 2


@pytest.mark.parametrize("out", ["schemas", "schemas/generated", "./schemas/../schemas"])
def test_output_among_the_schemas_is_refused(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], project: Path, out: str
) -> None:
    assert run("build", "--out", out) == 2
    assert "lies in the schema folder" in capsys.readouterr().err


@pytest.mark.parametrize("verb", [("lint",), ("show", "--stage", "view")])
def test_what_has_no_output_may_be_run_among_the_schemas(
    run: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    verb: tuple[str, ...],
) -> None:
    monkeypatch.chdir(project / "schemas")
    run(*verb, ".")
    assert "lies in the schema folder" not in capsys.readouterr().err


def test_a_folder_is_named_on_the_command_line(run: Callable[..., int], project: Path) -> None:
    assert run("build", "schemas/plants", "--out", "gen/deep") == 0
    names = sorted(path.name for path in (project / "gen/deep").iterdir())
    assert names == [".codegen-manifest", "boiler.py", "py.typed"]
