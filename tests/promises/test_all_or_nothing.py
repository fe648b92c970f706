"""A build that cannot finish leaves the old output, or a state that the next build completes."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.inputs import examples
from tests.promises.killed import kill
from tests.promises.project import SCHEMAS, new, stamps, texts

CHANGED = {
    "heat.pyi": SCHEMAS["heat.pyi"].replace("dx: static[float] = 0.1", "dx: static[float] = 0.2"),
    "plants/boiler.pyi": SCHEMAS["plants/boiler.pyi"],
    "plants/turbine.pyi": SCHEMAS["plants/boiler.pyi"].replace("Boiler", "Turbine"),
    "pumps/small.pyi": SCHEMAS["plants/boiler.pyi"].replace("Boiler", "Pump"),
}
MOMENTS = examples(4)


@pytest.fixture(scope="module")
def old_and_new(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], ...]:
    """The output before and after the change of the schemas."""
    found = []
    for schemas in (SCHEMAS, CHANGED):
        project = new(tmp_path_factory.mktemp("fresh") / "project", schemas)
        project.build()
        found.append(texts(project.out))
    return tuple(found)


def test_killed_build_is_completed_by_the_next(
    tmp_path: Path, old_and_new: tuple[dict[str, bytes], ...]
) -> None:
    old, new_texts = old_and_new
    project = new(tmp_path / "project")
    project.build()
    saved = shutil.copytree(project.out, tmp_path / "saved")
    project.write(CHANGED)
    calls = kill(project, 0, "build")
    assert len(calls.replacing) > 3
    # Some are within the short time in which files are replaced.
    moments = {1 + number * (calls.total - 1) // (MOMENTS - 1) for number in range(MOMENTS)}
    is_mixed = []
    for moment in sorted({*moments, *calls.replacing[1:3]}):
        shutil.rmtree(project.out)
        shutil.copytree(saved, project.out)
        kill(project, moment, "build")
        found = {p: t for p, t in texts(project.out).items() if not p.startswith(".codegen")}
        left = {p: t for p, t in found.items() if not p.endswith(".codegen-tmp")}
        assert all(text in (old.get(path), new_texts.get(path)) for path, text in left.items())
        is_mixed.append(left not in (_bare(old), _bare(new_texts)))
        project.build()
        assert texts(project.out) == new_texts
    assert any(is_mixed), "no moment was between two replaced files"


# This runs the command, and kills it while it renders the third of many large modules.
_ENDED = """
import os, sys
from codegen import pipeline
from codegen.cli.main import main
command, printed = os.getpid(), pipeline.print_module
def killing(view, names, holder):
    if view.path == "m3.py":
        os.kill(command, 9)
    return printed(view, names, holder)
pipeline.print_module = killing
sys.exit(main(["build"]))
"""


def test_build_killed_while_it_compiles_does_not_block_the_next(tmp_path: Path) -> None:
    """Regression: processes of its own survived it, and kept the lock of the output folder."""
    boiler = SCHEMAS["plants/boiler.pyi"]
    classes = boiler.partition("class ")[2]
    text = boiler + "".join(f"\nclass More{n}:{classes.partition(':')[2]}" for n in range(20))
    project = new(tmp_path / "project", {f"m{number}.pyi": text for number in range(16)})
    command = [sys.executable, "-c", _ENDED]
    ended = subprocess.run(command, cwd=project.folder, env=project.environment, check=False)
    assert ended.returncode == -9
    assert not list(project.folder.glob("generated/*"))
    build = [sys.executable, "-m", "codegen", "build"]
    subprocess.run(build, cwd=project.folder, env=project.environment, check=True, timeout=60)


def _bare(found: dict[str, bytes]) -> dict[str, bytes]:
    return {path: text for path, text in found.items() if not path.startswith(".codegen")}


_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from codegen.cli.main import main
sys.exit(main(["build"]))
"""


@pytest.mark.parametrize("size_bytes", [0, 5000])
def test_full_disk_leaves_the_old_output(
    tmp_path: Path, old_and_new: tuple[dict[str, bytes], ...], size_bytes: int
) -> None:
    project = new(tmp_path / "project")
    project.build()
    project.write(CHANGED)
    before = stamps(project.out)
    finished = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(size_bytes)],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 2
    assert finished.stderr.startswith("error: generated/")
    assert finished.stderr.endswith(": File too large\n")
    assert _of_files(stamps(project.out)) == _of_files(before)
    assert texts(project.out) == old_and_new[0]
    project.build()
    assert texts(project.out) == old_and_new[1]


def _of_files(found: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Drop folders, because their times change with temporary files."""
    return {path: stamp for path, stamp in found.items() if os.path.isfile(path)}


@pytest.fixture
def unlocked(tmp_path: Path) -> Iterator[None]:
    """Let pytest remove files that a test has made read-only."""
    yield
    for path in (tmp_path, *tmp_path.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)


@pytest.mark.usefixtures("unlocked")
def test_read_only_output_folder_is_an_error(tmp_path: Path) -> None:
    project = new(tmp_path / "project")
    project.build()
    project.write(CHANGED)
    for path in (project.out, project.out / "plants"):
        path.chmod(0o555)
    before = stamps(project.out)
    finished = project.run("build", is_privileged=False)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.startswith("error: generated/")
    assert finished.stderr.endswith(": Permission denied\n")
    assert stamps(project.out) == before


@pytest.mark.usefixtures("unlocked")
def test_read_only_subfolder_leaves_the_old_output(tmp_path: Path) -> None:
    """All files except one could be written."""
    project = new(tmp_path / "project")
    project.build()
    project.write(CHANGED)
    (project.out / "plants").chmod(0o555)
    before = _of_files(stamps(project.out))
    finished = project.run("build", is_privileged=False)
    assert finished.returncode == 2
    assert finished.stderr == "error: generated/plants/turbine.py: Permission denied\n"
    assert _of_files(stamps(project.out)) == before
    assert not list(project.out.rglob("*.codegen-tmp"))


@pytest.mark.usefixtures("unlocked")
def test_read_only_files_are_replaced_and_stay_read_only(tmp_path: Path) -> None:
    project = new(tmp_path / "project")
    project.build()
    project.write(CHANGED)
    for path in project.out.rglob("*.py"):
        path.chmod(0o444)
    finished = project.run("build", is_privileged=False)
    assert finished.returncode == 0, finished.stderr
    assert project.call("check").returncode == 0
    assert stat.S_IMODE((project.out / "heat.py").stat().st_mode) == 0o444


def _a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _a_link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("missing.pyi")


def _a_link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _a_link_out(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


def _no_permission(path: Path) -> None:
    path.chmod(0)


def _no_permission_for_the_folder(path: Path) -> None:
    path.parent.chmod(0)


@pytest.mark.usefixtures("unlocked")
@pytest.mark.parametrize(
    "spoil",
    [
        _a_pipe,
        _a_link_to_nothing,
        _a_link_to_itself,
        _a_link_out,
        _no_permission,
        _no_permission_for_the_folder,
    ],
)
def test_unreadable_schema_is_an_error_and_keeps_its_output(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    """It is not a removed schema, so its output and everything else stays."""
    project = new(tmp_path / "project")
    project.build()
    project.write(CHANGED)
    spoil(project.folder / "schemas/plants/boiler.pyi")
    before = stamps(project.out)
    needs_permission = spoil in (_no_permission, _no_permission_for_the_folder)
    for verb in ("build", "check"):
        finished = (
            project.run(verb, is_privileged=False) if needs_permission else project.call(verb)
        )
        assert (finished.returncode, finished.stdout) == (2, "")
        assert finished.stderr.startswith("error: ")
        assert "schemas" in finished.stderr
        assert "Traceback" not in finished.stderr
    assert stamps(project.out) == before
