"""`codegen build --laws DIR`."""

from pathlib import Path

import pytest

from codegen.cli.main import main

SCHEMA = """from codegen.schema import static

class Grid:
    nx: static[int]
"""
LAWS = Path("tests/laws")


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "schemas" / "a").mkdir(parents=True)
    (folder / "schemas" / "heat.pyi").write_text(SCHEMA)
    (folder / "schemas" / "a" / "deep.pyi").write_text(SCHEMA)
    monkeypatch.chdir(folder)


def test_laws_lie_in_a_folder_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--laws", "tests/laws"]) == 0
    assert "\ntests/laws: built 2 modules: " in "\n" + capsys.readouterr().err
    assert "heat.py" not in (LAWS / ".codegen-manifest").read_text()
    assert "laws" not in Path("generated/.codegen-manifest").read_text()
    text = (LAWS / "a" / "test_deep_laws.py").read_text()
    assert "from generated.a import deep\n" in text
    assert "from .._laws import laws\n" in text
    assert main(["check"]) == 0
    assert main(["build"]) == 0
    capsys.readouterr()
    assert main(["build", "--laws", "tests/laws"]) == 0
    assert capsys.readouterr().err.count("up to date: ") == 2


def test_laws_follow_the_schemas() -> None:
    assert main(["build", "--laws", "tests/laws"]) == 0
    Path("schemas/a/deep.pyi").unlink()
    (LAWS / "conftest.py").write_text("# somebody's own\n")
    assert main(["build", "--laws", "tests/laws"]) == 0
    assert not (LAWS / "a").exists()
    assert (LAWS / "conftest.py").exists()


def test_edited_laws_keep_both_folders_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--laws", "tests/laws"]) == 0
    law = LAWS / "test_heat_laws.py"
    law.write_text(law.read_text() + "# mine\n")
    Path("schemas/heat.pyi").write_text(SCHEMA.replace("nx", "ny"))
    before = Path("generated/heat.py").read_text()
    capsys.readouterr()
    assert main(["build", "--laws", "tests/laws"]) == 1
    told = capsys.readouterr().err
    assert "`codegen build --laws tests/laws --force`" in told
    assert "--diff" not in told  # `check` does not look at laws
    assert Path("generated/heat.py").read_text() == before
    assert main(["build", "--laws", "tests/laws", "--force"]) == 0
    assert "mine" not in law.read_text()


@pytest.mark.parametrize(
    ("out", "package"), [("src/plates/made", "plates.made"), ("./made", "made"), ("src", "src")]
)
def test_the_package_is_named_by_its_path(out: str, package: str) -> None:
    assert main(["build", "--out", out, "--laws", "laws"]) == 0
    text = Path("laws/heat_strategies.py").read_text()
    assert f"from {package} import heat\n" in text


def test_the_package_is_named_from_the_folder_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("pyproject.toml").write_text('[tool.codegen]\nout = "plates/made"\n')
    monkeypatch.chdir("schemas")
    assert main(["build", "--laws", "../laws"]) == 0
    assert "from plates.made import heat\n" in Path("../laws/heat_strategies.py").read_text()


@pytest.mark.parametrize("out", ["../made", "ma-de", "class"])
def test_what_is_no_package_is_refused(out: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--out", out, "--laws", "laws"]) == 2
    assert "is no package" in capsys.readouterr().err
    assert not Path(out).exists()


@pytest.mark.parametrize("laws", ["generated", "generated/laws", "schemas/laws", "."])
def test_folders_may_not_overlap(laws: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--laws", laws]) == 2
    assert "overlap" in capsys.readouterr().err


def test_check_knows_no_laws() -> None:
    with pytest.raises(SystemExit):
        main(["check", "--laws", "laws"])
