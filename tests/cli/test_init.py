"""`codegen init`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

CREATED = [
    ".gitattributes",
    ".pre-commit-config.yaml",
    "pyproject.toml",
    "schemas/example.pyi",
]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with nothing in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_an_empty_folder(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], empty: Path
) -> None:
    assert run("init") == 0
    assert list(_texts(empty)) == CREATED
    out, told = capsys.readouterr()
    assert out == ""
    assert told == (
        "created ./schemas/example.pyi\ncreated ./pyproject.toml\ncreated ./.gitattributes\n"
        "created ./.pre-commit-config.yaml\nnext: codegen build\n"
    ).replace("./", "")


def test_a_folder_is_named(run: Callable[..., int], empty: Path) -> None:
    assert run("init", "deep/project") == 0
    assert list(_texts(empty / "deep/project")) == CREATED


def test_what_is_written(run: Callable[..., int], empty: Path) -> None:
    assert run("init") == 0
    texts = _texts(empty)
    tool = tomllib.loads(texts["pyproject.toml"])["tool"]
    assert tool == {
        "codegen": {"root": "schemas", "out": "generated"},
        "mypy": {"exclude": ["^schemas/"]},
        "pyright": {"ignore": ["schemas"]},
        "ruff": {
            "lint": {"per-file-ignores": {"schemas/**": ["PYI"]}},
            "format": {"exclude": ["generated/**"]},
        },
    }
    assert texts[".gitattributes"] == "generated/** linguist-generated=true text eol=lf\n"
    assert "entry: codegen check\n" in texts[".pre-commit-config.yaml"]


def test_a_second_time_changes_nothing(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], empty: Path
) -> None:
    assert run("init") == 0
    before = _texts(empty)
    capsys.readouterr()
    assert run("init") == 0
    assert _texts(empty) == before
    assert capsys.readouterr() == ("", "nothing to do: all is set up\nnext: codegen build\n")


def test_what_a_user_wrote_stays_and_what_tables_lack_is_printed(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], empty: Path
) -> None:
    mine = {
        "pyproject.toml": '[tool.mypy]\nstrict = true # mine\n[tool.ruff.format]\nexclude = ["x"]',
        ".gitattributes": "*.png binary",
        ".pre-commit-config.yaml": "repos: []\n",
        "schemas/mine.pyi": "",
    }
    (empty / "schemas").mkdir()
    for path, text in mine.items():
        (empty / path).write_text(text)
    assert run("init") == 0
    texts = _texts(empty)
    for path, text in mine.items():
        assert texts[path].startswith(text)
    assert list(texts) == sorted(mine)
    tool = tomllib.loads(texts["pyproject.toml"])["tool"]
    assert tool["mypy"] == {"strict": True}
    assert tool["codegen"] == {"root": "schemas", "out": "generated"}
    assert texts[".gitattributes"].splitlines()[0] == "*.png binary"
    out = capsys.readouterr().out
    assert '[tool.mypy]\nexclude = ["^schemas/"]\n' in out
    assert '[tool.ruff.format]\nexclude = ["generated/**"]\n' in out
    assert "id: codegen-check" in out


def test_the_folders_that_a_project_has_chosen(run: Callable[..., int], empty: Path) -> None:
    (empty / "pyproject.toml").write_text('[tool.codegen]\nroot = "src/stubs"\n')
    assert run("init") == 0
    texts = _texts(empty)
    assert "src/stubs/example.pyi" in texts
    tool = tomllib.loads(texts["pyproject.toml"])["tool"]
    assert tool["pyright"] == {"ignore": ["src/stubs"]}


def test_a_broken_file_is_left_alone(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], empty: Path
) -> None:
    (empty / "pyproject.toml").write_text("[tool")
    assert run("init") == 2
    assert _texts(empty) == {"pyproject.toml": "[tool"}
    assert "pyproject.toml" in capsys.readouterr().err
