"""Repositories with hostile content: a manifest, settings, links, names."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import tomlkit

from codegen.output.manifest import FIRST_LINE, NAME, checksum
from tests.promises.project import Project, add_printed_settings, new, stamps, texts

NEVER_MADE = (
    ".git/HEAD",
    ".git/hooks/sample.py",
    ".github/workflows/py.typed",
    "plants/.hidden.py",
    "pyproject.toml",
    "heat.pyi",
    "README.md",
    "not-a-name.py",
    "not-a-name/mine.py",
    "plants/index.html",
    "modules/old.html",
    "plants/search.js",
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new(tmp_path / "project")


def _list(folder: Path, paths: tuple[str, ...]) -> None:
    """Write files, and list them with their checksums in the manifest."""
    lines = []
    for path in paths:
        whole = folder / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        if not whole.exists():
            whole.write_text(f"mine: {path}\n")
        lines.append(f"{checksum(whole.read_bytes())}  {path}\n")
    manifest = folder / NAME
    before = manifest.read_text() if manifest.exists() else f"{FIRST_LINE}\n"
    manifest.write_text(before + "".join(lines))


def test_only_possible_outputs_are_removed_as_orphans(project: Project) -> None:
    command = ("build", "--out", "made")
    assert project.call(*command).returncode == 0
    made = project.folder / "made"
    before = texts(made)
    _list(made, (*NEVER_MADE, "plants/old.py"))
    finished = project.call(*command)
    assert finished.returncode == 0, finished.stderr
    assert not (made / "plants/old.py").exists()
    for path in NEVER_MADE:
        assert (made / path).read_text() == f"mine: {path}\n", path
    assert (made / NAME).read_bytes() == before[NAME]


FOLDERS = (".", "..", "./schemas/..", ".git", ".git/hooks", "vendored/.GIT/x")


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_project_parent_and_git_folders_are_never_output(
    project: Project, force: tuple[str, ...]
) -> None:
    """The project folder, its parents, and folders of Git."""
    for path in (".git/hooks", "vendored/.GIT"):
        (project.folder / path).mkdir(parents=True)
    settings = project.folder / "pyproject.toml"
    settings.write_text("[tool.codegen]\n")
    (project.folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    listed = (".git/HEAD", "pyproject.toml", "schemas/heat.pyi", "schemas/steel.pyi", "conftest.py")
    _list(project.folder, listed)
    _list(project.folder / ".git", ("HEAD", "conftest.py"))
    for folder in FOLDERS:
        asked = [
            ("build", "--out", folder, *force),
            ("check", "--out", folder),
            ("build", *force),
            ("check",),
        ]
        for words in asked:
            by_setting = f"out = '{folder}'\n" if "--out" not in words else ""
            settings.write_text(f"[tool.codegen]\n{by_setting}")
            before = stamps(project.folder)
            finished = project.call(*words)
            assert finished.returncode == 2, (folder, words, finished.stderr)
            if by_setting and folder == "..":
                assert finished.stderr.startswith("error[BAD_SETTING]: `out` "), finished.stderr
            else:
                assert finished.stderr.startswith("error: the "), finished.stderr
                assert finished.stderr.count("\n") == 1, finished.stderr
            assert stamps(project.folder) == before, (folder, words)


def test_output_folder_that_links_out_of_the_project_is_an_error(
    project: Project, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    (victim / "deeper").mkdir(parents=True)
    _list(victim, ("conftest.py",))
    before = stamps(victim)
    (project.folder / "inside").mkdir()
    links = {
        "made": "../victim",
        "link": "../victim",
        "round": "inside/../../victim",
        "new": "../x",
    }
    for name, target in links.items():
        (project.folder / name).symlink_to(target)
    for folder in ("made", "link/deeper", "link/new", "round", "new", "./made/", "inside/../made"):
        for words in (("build", "--out", folder), ("check", "--out", folder)):
            finished = project.call(*words)
            assert finished.returncode == 2, (words, finished.stderr)
            assert "symbolic link out of the project" in finished.stderr, (words, finished.stderr)
            assert stamps(victim) == before, words
            assert sorted(path.name for path in tmp_path.iterdir()) == ["project", "victim"], words
    (project.folder / "made").unlink()
    (project.folder / "made").symlink_to("inside")
    project.build("--out", "made")
    assert (project.folder / "inside/heat.py").exists()


def test_huge_or_invalid_manifest_is_handled(project: Project) -> None:
    """It has a hundred megabytes, or many checksums of one file."""
    project.build()
    manifest = project.out / NAME
    line = f"{'0' * 32}  heat.py\n".encode()
    before = manifest.read_bytes()
    for wrong, status in (
        (before + line * (100_000_000 // len(line)), 2),
        (before + b"".join(b"%032x  heat.py\n" % number for number in range(80_000)), 0),
        (before + b"\xff\0\xed\xa0\x80  \xff.py\n", 0),
    ):
        manifest.write_bytes(wrong)
        for verb in ("check", "build"):
            finished = project.call(verb)
            assert finished.returncode == status, finished.stderr
            if status:
                assert finished.stderr == (
                    "error: generated/.codegen-manifest: is too large for a manifest: delete it, "
                    "and build again\n"
                )


# Files that `init` extends, as they may be in a project.
ADDED_TO = {
    ".gitattributes": "*.png binary\n",
    ".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks: []\n",
    "pyproject.toml": "[tool.mypy]\nstrict = true\n[tool.black]\n[tool.isort]\n",
    "ruff.toml": "line-length = 99\n",
    "mypy.ini": "[mypy]\nstrict = True\n",
    "setup.cfg": "[mypy]\nstrict = True\n",
    "pyrightconfig.json": "{}\n",
}


def _victim(tmp_path: Path) -> Path:
    victim = tmp_path / "victim"
    victim.mkdir()
    for name, text in ADDED_TO.items():
        (victim / name).write_text(text)
    return victim


def test_init_follows_no_link(tmp_path: Path) -> None:
    victim = _victim(tmp_path)
    before = stamps(victim)
    links = {name: f"../victim/{name}" for name in ADDED_TO}
    links |= {"schemas": "../victim", "generated": "../victim", ".gitattributes ": "../victim/new"}
    for number, (link, target) in enumerate(links.items()):
        folder = tmp_path / f"project_{number}"
        folder.mkdir()
        (folder / link.strip()).symlink_to(target)
        finished = Project(folder).call("init")
        assert stamps(victim) == before, link
        if link in ("schemas", "generated"):
            assert finished.returncode == 2, (link, finished.stderr)
            assert f"`{link}`" in finished.stderr
        else:
            assert finished.returncode == 0, (link, finished.stderr)
            assert f"add to {link.strip()}:\n\n" in finished.stdout, link
            assert (folder / link.strip()).is_symlink()


def test_init_writes_only_into_the_project(tmp_path: Path) -> None:
    victim = _victim(tmp_path)
    before = stamps(victim)
    for number, folder in enumerate(("../victim", f"{victim}/new", "a/../../victim", ".")):
        for setting in ("root", "out"):
            project = Project(tmp_path / f"project_{number}_{setting}")
            project.folder.mkdir()
            settings = f"[tool.codegen]\n{setting} = '{folder}'\n"
            (project.folder / "pyproject.toml").write_text(settings)
            finished = project.call("init")
            assert finished.returncode == 2, (folder, setting, finished.stderr)
            assert f"`{setting}` in [tool.codegen]" in finished.stderr
            assert stamps(victim) == before
            assert sorted(texts(project.folder)) == ["pyproject.toml"]


HOSTILE_NAMES = (
    "a b",
    "a\nalias rm='rm -rf ~'\nb",
    '"] }\n[tool.hatch.build.hooks.custom]\npath = "x.py"\n#',
    "[attr]binary",
    "!a",
    "#a",
    "a*?[b]",
    "a\\b",
    "\x1b]0;x\x07\x7f\u202e",
    "\U0001f525 größe",
    "[tool.ruff.x",
    "a% (b)",
    "-a",
)


def test_init_quotes_hostile_folder_names(tmp_path: Path) -> None:
    own_files = {
        "pyproject": {"pyproject.toml": "[tool.black]\n[tool.isort]\n"},
        "own": {"ruff.toml": "", "mypy.ini": "[mypy]\n", "pyrightconfig.json": "{}"},
    }
    for number, name in enumerate(HOSTILE_NAMES):
        for kind, files in own_files.items():
            root, out = f"in{name}", f"{name}_out"
            project = Project(tmp_path / f"{kind}_{number}")
            project.folder.mkdir()
            for path, text in files.items():
                (project.folder / path).write_text(text)
            with (project.folder / "pyproject.toml").open("a") as settings:
                settings.write(f"[tool.codegen]\nroot = {_toml(root)}\nout = {_toml(out)}\n")
            finished = project.call("init")
            assert finished.returncode == 0, (name, finished.stderr)
            assert (project.folder / out / "example.py").is_file(), name
            attributes = (project.folder / ".gitattributes").read_text()
            assert attributes.count("\n") == 2, name
            assert attributes.isascii(), name
            _git(project.folder, "init", "--quiet")
            told = _git(
                project.folder, "check-attr", "-z", "linguist-generated", "--", f"{out}/example.py"
            )
            assert told.split("\0")[2] == "true", (name, attributes)
            told = _git(
                project.folder, "check-attr", "-z", "merge", "--", f"{out}/.codegen-manifest"
            )
            assert told.split("\0")[2] == "union", (name, attributes)
            add_printed_settings(project.folder, finished.stdout)
            tools = tomllib.loads((project.folder / "pyproject.toml").read_text())["tool"]
            assert set(tools) <= {"codegen", "mypy", "pyright", "ruff", "black", "isort"}, name
            if kind == "own":
                ruff = tomllib.loads((project.folder / "ruff.toml").read_text())
                mypy = configparser.RawConfigParser()
                mypy.read(project.folder / "mypy.ini")
                pattern = mypy["mypy"]["exclude"]
                assert list(mypy["mypy"]) == ["exclude"], name
                pyright = json.loads((project.folder / "pyrightconfig.json").read_text())
            else:
                ruff, pyright = tools["ruff"], tools["pyright"]
                (pattern,) = tools["mypy"]["exclude"]
                assert re.match(tools["black"]["extend-exclude"], f"/{out}/a.py"), name
                assert tools["isort"]["extend_skip"] == [out], name
            assert ruff["extend-exclude"] == [out], name
            assert list(ruff["lint"]["per-file-ignores"]) == [f"{root}/**"], name
            assert re.match(pattern, f"{root}/example.pyi"), name
            assert not re.match(pattern, "other/example.pyi"), name
            assert pyright == {"ignore": [root]}, name


def test_bare_git_repository_among_the_schemas_is_not_used(
    project: Project, tmp_path: Path
) -> None:
    """Its settings name a command that git would run to fetch missing objects."""
    marker, source = tmp_path / "marker", tmp_path / "source"
    source.mkdir()
    (source / "heat.pyi").write_text("class Grid: ...\n")
    _git(source, "init", "--quiet")
    _git(source, "add", ".")
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    _git(source, *author, "commit", "--quiet", "--message=a")
    blob = _git(source, "rev-parse", "HEAD:heat.pyi").strip()
    (source / ".git/objects" / blob[:2] / blob[2:]).unlink()
    for name in ("HEAD", "objects", "refs"):
        (source / ".git" / name).rename(project.folder / "schemas" / name)
    (project.folder / "schemas/config").write_text(
        "[core]\nrepositoryformatversion = 1\nbare = true\n"
        '[extensions]\npartialClone = origin\n[protocol "ext"]\nallow = always\n'
        f'[remote "origin"]\npromisor = true\nurl = "ext::sh -c touch% {marker}"\n'
    )
    finished = project.call("breaking", "--against", "HEAD")
    assert not marker.exists()
    assert finished.returncode == 2
    assert "is not in a Git repository" in finished.stderr


def test_missing_git_object_is_a_clear_error(project: Project) -> None:
    _git(project.folder, "init", "--quiet")
    _git(project.folder, "add", ".")
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    _git(project.folder, *author, "commit", "--quiet", "--message=a")
    objects = project.folder / ".git/objects"
    for named in ("HEAD:schemas/heat.pyi", "HEAD:schemas"):
        found = _git(project.folder, "rev-parse", named).strip()
        (objects / found[:2] / found[2:]).unlink()
        finished = project.call("breaking", "--against", "HEAD")
        assert finished.returncode == 2, finished.stderr
        assert finished.stderr.startswith("error: Git cannot read the schemas of `HEAD`"), named


def test_lint_fix_does_not_follow_a_link_out_of_the_project(
    project: Project, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    (project.folder / "schemas").rename(victim)
    (victim / "steel.pyi").write_text("from codegen.schema import Dim\nn = Dim()\n")
    (project.folder / "schemas").symlink_to(victim)
    before = stamps(victim)
    assert project.call("lint").returncode == 1
    finished = project.call("lint", "--fix")
    assert finished.returncode == 2
    assert "symbolic link out of the project" in finished.stderr
    assert stamps(victim) == before


def _toml(text: str) -> str:
    return str(tomlkit.item(text).as_string())


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, encoding="utf-8"
    ).stdout
