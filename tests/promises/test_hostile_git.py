"""Git repositories whose settings name a program. `codegen breaking` asks git, which must not run it.

Anybody can prepare such a repository, for example in an archive that contains `.git`.
"""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.promises.project import Project, new

# Each way to name a commit. `_TRACKED` is a file, so git reads the index or a tree for it.
_TRACKED = "schemas/heat.pyi"
REFERENCES = (
    "HEAD",
    "HEAD^{/one}",
    "@{upstream}",
    "other@{push}",
    "no-such-branch",
    f"HEAD:{_TRACKED}",
    f":{_TRACKED}",
    f":0:{_TRACKED}",
    ":/one",
    f"^:{_TRACKED}",
    f"HEAD..:{_TRACKED}",
)


@dataclass(frozen=True)
class Trap:
    """A repository that names a program, and a git command that runs it."""

    command: str
    settings: str = ""
    """Added to `.git/config`. In all texts, `PROGRAM` is the program and `GIT` the folder `.git`."""
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """Files in `.git`. The text of a hook is `PROGRAM`."""
    missing: str = ""
    """An object that the repository lacks. Git can fetch it."""


def _attribute(command: str, attribute: str, settings: str) -> Trap:
    section = f'[{attribute} "x"]\n{settings}'
    return Trap(command, section, {"info/attributes": f"*.pyi {attribute}=x\n"})


def _remote(url: str, settings: str, missing: str = f"HEAD:{_TRACKED}", command: str = "") -> Trap:
    origin = f"[extensions]\npartialClone = origin\n[remote.origin]\npromisor = true\nurl = {url}\n"
    return Trap(command or f"cat-file -p {missing}", f"{origin}{settings}", missing=missing)


_SIGNED = "commit --allow-empty --message=a --gpg-sign"
_SHOWN, _FILTERED = (f"cat-file --{option} HEAD:{_TRACKED}" for option in ("textconv", "filters"))
_FSMONITOR = "[core]\nfsmonitor = PROGRAM"
_EXT = "[protocol.ext]\nallow = always"
TRAPS = {
    "core.fsmonitor": Trap("status", _FSMONITOR),
    "core.fsmonitor in include.path": Trap(
        "status", "[include]\npath = GIT/settings", {"settings": _FSMONITOR}
    ),
    "core.fsmonitor in includeIf": Trap(
        "status", '[includeIf "gitdir:/"]\npath = GIT/settings', {"settings": _FSMONITOR}
    ),
    "core.fsmonitor in config.worktree": Trap(
        "status", "[extensions]\nworktreeConfig = true", {"config.worktree": _FSMONITOR}
    ),
    "core.hooksPath": Trap(
        "checkout --force other", "[core]\nhooksPath = GIT/x", {"x/post-checkout": "PROGRAM"}
    ),
    "post-index-change": Trap("update-index --refresh", "", {"hooks/post-index-change": "PROGRAM"}),
    "reference-transaction": Trap(
        "update-ref refs/heads/a HEAD", "", {"hooks/reference-transaction": "PROGRAM"}
    ),
    "core.pager": Trap("log", "[core]\npager = PROGRAM"),
    "pager.ls-tree": Trap("ls-tree HEAD", "[pager]\nls-tree = PROGRAM"),
    "pager.cat-file": Trap("cat-file -p HEAD", "[pager]\ncat-file = PROGRAM"),
    "core.editor": Trap("commit --allow-empty", "[core]\neditor = PROGRAM"),
    "core.alternateRefsCommand": Trap(
        "receive-pack .",
        "[core]\nalternateRefsCommand = PROGRAM",
        {"objects/info/alternates": "GIT/../other/.git/objects"},
    ),
    "diff.external": Trap("diff", "[diff]\nexternal = PROGRAM"),
    "diff.*.command": _attribute("diff", "diff", "command = PROGRAM"),
    "diff.*.textconv": _attribute(_SHOWN, "diff", "textconv = PROGRAM"),
    "filter.*.clean": _attribute("add .", "filter", "clean = PROGRAM"),
    "filter.*.smudge": _attribute(_FILTERED, "filter", "smudge = PROGRAM"),
    "filter.*.process": _attribute(_FILTERED, "filter", "process = PROGRAM\nrequired = true"),
    "merge.*.driver": _attribute("merge other", "merge", "driver = PROGRAM"),
    "gpg.program": Trap(_SIGNED, "[gpg]\nprogram = PROGRAM\n[log]\nshowSignature = true"),
    "alias.*": Trap("x", '[alias]\nx = "!PROGRAM"\nls-tree = "!PROGRAM"\nrev-parse = "!PROGRAM"'),
    "submodule.*.update": Trap(
        "submodule update", '[submodule.other]\nactive = true\nurl = x\nupdate = "!PROGRAM"'
    ),
    "protocol.ext": _remote("ext::PROGRAM", _EXT),
    "protocol.ext for a tree": _remote("ext::PROGRAM", _EXT, "HEAD:schemas"),
    "protocol.ext for a commit": _remote("ext::PROGRAM", _EXT, "HEAD"),
    "remote.*.uploadpack": _remote("GIT", "uploadpack = PROGRAM"),
    "core.sshCommand": _remote("ssh://localhost/x", "[core]\nsshCommand = PROGRAM"),
    "core.gitProxy": _remote("git://localhost/x", "[core]\ngitProxy = PROGRAM"),
    "credential.helper": _remote(
        "https://localhost/x", "[credential]\nhelper = PROGRAM", command="credential fill"
    ),
    "core.askPass": _remote(
        "https://localhost/x", "[core]\naskPass = PROGRAM", command="credential fill"
    ),
}


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project in a repository with a submodule and two branches that both changed a schema."""
    # Isolate the tests from the git configuration of the machine.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")
    monkeypatch.setenv("TERM", "xterm")  # otherwise git starts no editor
    project = new(tmp_path / "project")
    folder = project.folder
    for repository in (folder / "other", folder):
        repository.mkdir(exist_ok=True)
        _git(repository, "init", "--quiet", "--initial-branch=main")
        _git(repository, "commit", "--quiet", "--allow-empty", "--message=zero")
    (folder / ".gitmodules").write_text("[submodule.other]\npath = other\nurl = ./other\n")
    _git(folder, "add", ".")
    _git(folder, "commit", "--quiet", "--message=one")
    _git(folder, "checkout", "--quiet", "--track", "-b", "other")
    schema = folder / _TRACKED
    before = schema.read_text()
    for branch in ("other", "main"):
        _git(folder, "checkout", "--quiet", branch)
        schema.write_text(f"# {branch}\n{before}")
        _git(folder, "commit", "--quiet", "--all", f"--message={branch}")
    _git(folder / "other", "commit", "--quiet", "--allow-empty", "--message=later")
    return project


def _run_on_terminal(folder: Path, words: str) -> None:
    """Run a git command in a terminal, where it may start a pager or an editor."""
    ours, terminal = pty.openpty()
    subprocess.run(
        ["git", *words.split()],
        cwd=folder,
        input=b"protocol=https\nhost=localhost\n\n",  # for `git credential`
        stdout=terminal,
        stderr=terminal,
        check=False,
    )
    os.close(terminal)
    os.close(ours)


@pytest.mark.parametrize("name", TRAPS)
def test_repository_runs_no_program(project: Project, tmp_path: Path, name: str) -> None:
    trap, git = TRAPS[name], project.folder / ".git"
    marker, program = tmp_path / "marker", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\nexit 1\n")
    program.chmod(0o755)
    if trap.missing:
        missing = _git(project.folder, "rev-parse", trap.missing)
        (git / "objects" / missing[:2] / missing[2:]).unlink()
    settings = (git / "config").read_text() + trap.settings
    for path, text in {"config": settings, **trap.files}.items():
        (git / path).parent.mkdir(exist_ok=True)
        (git / path).write_text(text.replace("PROGRAM", str(program)).replace("GIT", str(git)))
        (git / path).chmod(0o755)
    for reference in REFERENCES:
        project.call("breaking", f"--against={reference}")
        assert not marker.exists(), reference
    # The trap works: other commands run the program.
    (project.folder / _TRACKED).write_text("changed\n")
    _run_on_terminal(project.folder, trap.command)
    assert marker.exists()


@pytest.mark.parametrize("relative", [".", "", "./"])
@pytest.mark.parametrize("has_others", [True, False])
def test_git_of_the_project_is_not_run(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    relative: str,
    *,
    has_others: bool,
) -> None:
    """`PATH` may contain the current folder, by name or as an empty entry."""
    marker, program = tmp_path / "marker", project.folder / "git"
    program.write_text(f"#!/bin/sh\n: > '{marker}'\n")
    program.chmod(0o755)
    others = [os.environ["PATH"]] if has_others else ["/no-such-folder"]
    monkeypatch.setenv("PATH", os.pathsep.join([relative, *others]))
    finished = project.call("breaking", "--against=HEAD")
    assert finished.returncode == (0 if has_others else 2)
    assert ("git is not installed" in finished.stderr) is not has_others
    assert not marker.exists()
