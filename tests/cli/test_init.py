"""Test `codegen init`."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Capture, Run

CREATED = [
    ".gitattributes",
    ".pre-commit-config.yaml",
    "pyproject.toml",
    "schemas/example.pyi",
]


def _texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _write(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def _without_output(folder: Path) -> dict[str, str]:
    """Return all files except the output of the build."""
    return {path: text for path, text in _texts(folder).items() if not path.startswith("generated")}


def _told(capsys: Capture) -> str:
    out, told = capsys.readouterr()
    assert out == ""
    return re.sub(r"built .*", "built", told)


def test_empty_folder_gets_all_files(run: Run, capsys: Capture, empty: Path) -> None:
    assert run("init") == 0
    assert list(_without_output(empty)) == CREATED
    assert (empty / "generated/example.py").exists()
    assert _told(capsys) == (
        "created schemas/example.pyi\ncreated pyproject.toml\ncreated .gitattributes\n"
        "created .pre-commit-config.yaml\nbuilt\n"
    )
    assert run("build") == 0
    assert capsys.readouterr().err.startswith("up to date: ")


@pytest.mark.parametrize(
    ("found", "has_example"), [("schemas/deep/.gitkeep", True), ("schemas/deep/mine.pyi", False)]
)
def test_folder_without_schemas_gets_an_example(
    run: Run, empty: Path, found: str, *, has_example: bool
) -> None:
    _write(empty, {found: ""})
    assert run("init") == 0
    assert (empty / "schemas/example.pyi").exists() is has_example
    assert (empty / "generated/example.py").exists() is has_example


@pytest.mark.parametrize("end", ["", "\n"])
def test_settings_are_appended_to_pyproject(run: Run, empty: Path, end: str) -> None:
    text = "[project]\nname = 'a'\n[tool.mypy]\nstrict = true" + end
    _write(empty, {"pyproject.toml": text})
    assert run("init") == 0
    assert (empty / "pyproject.toml").read_text() == (
        text.rstrip() + '\n\n[tool.codegen]\nroot = "schemas"\nout = "generated"\n'
    )


def test_line_endings_of_existing_files_are_kept(run: Run, empty: Path) -> None:
    """New files have the line endings of the system."""
    (empty / "pyproject.toml").write_bytes(b'[project]\r\nname = "a"\r\n\r\n[tool.mypy]\r\n')
    assert run("init") == 0
    data = (empty / "pyproject.toml").read_bytes()
    assert b"[tool.codegen]\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")
    assert b"\r" not in (empty / ".gitattributes").read_bytes()
    assert run("init") == 0
    assert (empty / "pyproject.toml").read_bytes() == data


def test_folder_as_argument(run: Run, empty: Path) -> None:
    assert run("init", "deep/project") == 0
    assert list(_without_output(empty / "deep/project")) == CREATED
    assert (empty / "deep/project/generated/example.py").exists()


def test_contents_of_created_files(run: Run, empty: Path) -> None:
    assert run("init") == 0
    texts = _texts(empty)
    tool = tomllib.loads(texts["pyproject.toml"])["tool"]
    assert tool == {
        "codegen": {"root": "schemas", "out": "generated"},
        "mypy": {"exclude": ["^schemas/"]},
        "pyright": {"ignore": ["schemas"]},
        "ruff": {
            "extend-exclude": ["generated"],
            "lint": {"per-file-ignores": {"schemas/**": ["F821", "PYI", "RUF012"]}},
        },
    }
    assert texts[".gitattributes"] == (
        "generated/** linguist-generated=true text eol=lf\n"
        "generated/.codegen-manifest merge=union\n"
    )
    assert "entry: codegen check\n" in texts[".pre-commit-config.yaml"]


def test_second_run_changes_nothing(run: Run, capsys: Capture, empty: Path) -> None:
    assert run("init") == 0
    before = _texts(empty)
    capsys.readouterr()
    assert run("init") == 0
    assert _texts(empty) == before
    assert capsys.readouterr() == (
        "",
        "nothing to do: the project is already set up\nnext, run `codegen build`\n",
    )


MINE = {
    "pyproject.toml": """\
[project]
name = "plates"   # mine

[tool.mypy]
strict = true     # mine
exclude = "^old/"

[tool.ruff]
line-length = 100
extend-exclude = [
    "old",        # mine
]

[tool.ruff.lint]
select = ["ALL"]

[tool.ruff.lint.per-file-ignores]
"schemas/**" = ["D"]

[tool.black]
line-length = 100

[tool.isort]
profile = "black"
""",
    ".gitattributes": "*.png binary",
    ".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks: []  # mine\n",
    "schemas/mine.pyi": "",
}


def _asked(out: str) -> dict[str, str]:
    """Return the text that the output asks the user to add to each file."""
    found: dict[str, str] = {}
    for part in out.split("add to ")[1:]:
        path, _, lacking = part.partition(":\n\n")
        found[path] = found.get(path, "") + lacking
    return found


def test_user_content_is_kept(run: Run, capsys: Capture, empty: Path) -> None:
    _write(empty, MINE)
    assert run("init") == 0
    out, told = capsys.readouterr()
    assert told == "added [tool.codegen] to pyproject.toml\nnext, run `codegen build`\n"
    own = '\n[tool.codegen]\nroot = "schemas"\nout = "generated"\n'
    assert _texts(empty) == MINE | {"pyproject.toml": MINE["pyproject.toml"] + own}
    asked = _asked(out)
    assert tomllib.loads(asked["pyproject.toml"]) == {
        "tool": {
            "mypy": {"exclude": ["^schemas/"]},
            "pyright": {"ignore": ["schemas"]},
            "ruff": {
                "extend-exclude": ["generated"],
                "lint": {"per-file-ignores": {"schemas/**": ["F821", "PYI", "RUF012"]}},
            },
            "black": {"extend-exclude": "^/generated/"},
            "isort": {"extend_skip": ["generated"]},
        }
    }
    assert asked[".gitattributes"].splitlines()[:2] == [
        "generated/** linguist-generated=true text eol=lf",
        "generated/.codegen-manifest merge=union",
    ]
    assert asked[".pre-commit-config.yaml"].startswith("below `repos:`\n\n- repo: local\n")


def test_settings_files_of_other_tools_are_respected(
    run: Run, capsys: Capture, empty: Path
) -> None:
    mine = {
        "ruff.toml": 'line-length = 100\n\n[lint]\nselect = ["E"]\n',
        "mypy.ini": "[mypy]\nstrict = True\n\n[mypy-numpy.*]\nignore_errors = True\n",
        "pyrightconfig.json": '{\n  "strict": ["src"]\n}\n',
    }
    _write(empty, mine)
    assert run("init") == 0
    texts = _without_output(empty)
    assert set(tomllib.loads(texts["pyproject.toml"])["tool"]) == {"codegen"}
    assert mine.items() <= texts.items()
    asked = _asked(capsys.readouterr().out)
    assert tomllib.loads(asked["ruff.toml"]) == {
        "extend-exclude": ["generated"],
        "lint": {"per-file-ignores": {"schemas/**": ["F821", "PYI", "RUF012"]}},
    }
    assert asked["mypy.ini"] == "[mypy]\nexclude = ^schemas/\n\n"
    assert asked["pyrightconfig.json"] == '"ignore": ["schemas"]\n\n'


def test_mypy_settings_in_setup_cfg_stay_effective(run: Run, capsys: Capture, empty: Path) -> None:
    """A table in pyproject.toml would override them."""
    _write(empty, {"setup.cfg": "[metadata]\nname = x\n[mypy]\nstrict = True"})
    assert run("init") == 0
    assert _asked(capsys.readouterr().out)["setup.cfg"] == "[mypy]\nexclude = ^schemas/\n\n"
    assert "mypy" not in tomllib.loads(_without_output(empty)["pyproject.toml"])["tool"]


@pytest.mark.parametrize(
    ("found", "words", "expected"),
    [
        ({}, ["--out", "made here"], "made here"),
        ({}, ["--out", "src/plates/made"], "src/plates/made"),
        ({"src/plates/__init__.py": "", "src/notes/a.txt": ""}, [], "src/plates/generated"),
        ({"src/plates/__init__.py": "", "src/rods/__init__.py": ""}, [], "src/generated"),
        ({"src/plates/__init__.py": ""}, ["--out", "generated"], "generated"),
        ({"pyproject.toml": "[tool.codegen]\nout = 'made'\n"}, ["--out", "made"], "made"),
        # Existing settings are not changed.
        (
            {"pyproject.toml": "[tool.codegen]\nchecks = true\n", "src/plates/__init__.py": ""},
            [],
            "generated",
        ),
    ],
)
def test_output_folder_is_chosen_from_the_project_layout(
    run: Run, empty: Path, found: dict[str, str], words: list[str], expected: str
) -> None:
    _write(empty, found)
    assert run("init", *words) == 0
    tool = tomllib.loads((empty / "pyproject.toml").read_text())["tool"]
    assert tool["codegen"].get("out", "generated") == expected
    assert expected in (empty / ".gitattributes").read_text()
    assert (empty / expected / "example.py").exists()
    assert run("check") == 0
    assert run("init", *words) == 0


@pytest.mark.parametrize("out", ["", ".", "..", "../made", "/tmp/made", "link/made", "a/../.."])
def test_output_folder_outside_the_project_is_an_error(
    run: Run, capsys: Capture, empty: Path, out: str
) -> None:
    (empty / "link").symlink_to(empty.parent)
    assert run("init", "--out", out) == 2
    assert "init" in capsys.readouterr().err
    assert [path.name for path in empty.iterdir()] == ["link"]


@pytest.mark.parametrize(
    ("setting", "now"), [("out = 'made'", "`made`"), ("checks = true", "not set")]
)
def test_conflicting_existing_setting_is_an_error(
    run: Run, capsys: Capture, empty: Path, setting: str, now: str
) -> None:
    (empty / "pyproject.toml").write_text(f"[tool.codegen]\n{setting}\n")
    assert run("init", "--out", "other") == 2
    told = capsys.readouterr().err
    assert f'`out` in [tool.codegen] is {now}: write `out = "other"` there' in told


def test_configured_folders_are_used(run: Run, capsys: Capture, empty: Path) -> None:
    (empty / "pyproject.toml").write_text('[tool.codegen]\nroot = "src/my.stubs"\n')
    assert run("init") == 0
    assert "src/my.stubs/example.pyi" in _texts(empty)
    asked = tomllib.loads(_asked(capsys.readouterr().out)["pyproject.toml"])["tool"]
    assert asked["pyright"] == {"ignore": ["src/my.stubs"]}
    assert asked["mypy"] == {"exclude": [r"^src/my\.stubs/"]}


@pytest.mark.parametrize("name", ["ruff.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    "content",
    [b"[lint", b"extend-exclude = 3\n", b"# \xe9\n", b"lint = 1\n", b"[tool]\nruff = 1\n"],
)
def test_file_that_cannot_be_extended_is_not_changed(
    run: Run, capsys: Capture, empty: Path, name: str, content: bytes
) -> None:
    if name == "pyproject.toml":
        content = content.replace(b"extend-exclude", b"[tool.ruff]\nextend-exclude")
    (empty / name).write_bytes(content)
    status = run("init")
    told = capsys.readouterr()
    assert content in (empty / name).read_bytes()
    if status == 2:  # The setup cannot be completed for this file.
        assert name == "pyproject.toml"
        assert "is not valid TOML" in told.err
        assert not (empty / "schemas").exists()
    else:
        assert status == 0
        assert "extend-exclude" in (empty / name).read_text("latin-1") + told.out


def test_init_in_a_subfolder_of_a_repository(run: Run, capsys: Capture, empty: Path) -> None:
    (empty / ".git").mkdir()
    assert run("init", "tools/heat model") == 0
    assert not (empty / "tools/heat model/.pre-commit-config.yaml").exists()
    out, _ = capsys.readouterr()
    assert out.startswith("add to .pre-commit-config.yaml:\n\nbelow `repos:`\n\n- repo: local\n")
    entry = re.search("entry: (.*)", out)
    assert entry is not None
    command = shlex.split(entry[1])
    assert command == ["sh", "-c", "cd 'tools/heat model' && codegen check"]
    checked = subprocess.run([*command[:2], command[2].replace("codegen", "true")], check=False)
    assert checked.returncode == 0
    # Once the entry is there, nothing is left to do.
    (empty / ".pre-commit-config.yaml").write_text(f"repos:\n{out.partition('repos:`')[2]}")
    assert run("init", "tools/heat model") == 0
    assert "nothing to do: the project is already set up" in capsys.readouterr().err


def test_empty_settings_table_means_defaults(run: Run, empty: Path) -> None:
    """As for `build`, even if there is a package in `src/`."""
    _write(empty, {"pyproject.toml": "[tool.codegen]\n", "src/plates/__init__.py": ""})
    assert run("init") == 0
    assert (empty / "generated/example.py").is_file()
    assert run("check") == 0


def test_vendored_copies_the_run_time(run: Run, capsys: Capture, empty: Path) -> None:
    assert run("init", "--vendored") == 0
    table = tomllib.loads((empty / "pyproject.toml").read_text())["tool"]["codegen"]
    assert table == {"root": "schemas", "out": "generated", "runtime": "vendored"}
    assert (empty / "generated/_runtime/__init__.py").is_file()
    assert run("init", "--vendored") == 0
    (empty / "pyproject.toml").write_text("[tool.codegen]\n")
    capsys.readouterr()
    assert run("init", "--vendored") == 2
    assert (
        '`runtime` in [tool.codegen] is `package`: write `runtime = "vendored"` there, and omit '
        "`--vendored`" in capsys.readouterr().err
    )
