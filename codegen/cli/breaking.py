"""`codegen breaking`: report schema changes that break uses of an earlier version.

    $ codegen breaking --against main
    error[FIELD_ADDED]: the required field `alpha` was added to `Plate`
    ...
    2 breaking changes: constructor 1, checkpoint 2
    $ codegen breaking --against v1.2 --kinds checkpoint
    $ codegen breaking --against ../released/schemas

The exit status is 1 if there is such a change.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from argparse import ArgumentParser, Namespace

from codegen import pipeline
from codegen.cli.arguments import words_of
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project, add_root, counted, sources
from codegen.diagnostics import Report
from codegen.diagnostics.suggest import nearest
from codegen.diff.comparison import KINDS
from codegen.options import FOLDERS_MAX, SCHEMA_BYTES_MAX
from codegen.output.schemas import SUFFIX, Schema, schemas, shown

HELP = "report schema changes that break code or saved data"
EXAMPLE = "codegen breaking --against main --kinds source,checkpoint"
_KINDS = """\
source       code that imports the generated modules
constructor  calls that create objects
treedef      saved treedefs, and programs in compilation caches
checkpoint   saved states that `unpack` and `restore` read"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `breaking`."""
    add_root(parser)
    parser.add_argument(
        "--against",
        metavar="DIR|GIT_REF",
        required=True,
        help="required; the earlier version: a folder of schemas, or a commit, tag or branch",
    )
    parser.add_argument(
        "--kinds",
        metavar="KINDS",
        default=",".join(KINDS),
        help="what must not break, separated by commas (default: all four)",
    )
    parser.add_argument_group("KINDS", _KINDS)


def run(arguments: Namespace, console: Console) -> int:
    """Compare; return 1 if something breaks."""
    project = Project.of(arguments, has_output=False)
    kinds = _kinds(arguments.kinds)
    files = sources(project)
    new = pipeline.run(files, project.options, "checked")
    if new.report:
        raise Mistakes(new.report)
    old = earlier_stages(project, arguments.against, console)
    if old is None:
        console.status(
            f"nothing breaks: `{arguments.against}` has no schema (*.pyi) in `{project.root}`"
        )
        return 0
    report = pipeline.breaking(old, new, kinds)
    console.report(report)
    console.status(_summary(report, kinds))
    return 1 if report else 0


def _kinds(words: str) -> tuple[str, ...]:
    chosen = words_of(words)
    if not chosen:
        raise Failure(f"`--kinds` is empty; write one or more of: {', '.join(KINDS)}")
    for word in chosen:
        if word not in KINDS:
            raise Failure(f"`{word}` in `--kinds` is not a kind; {nearest(word, KINDS)}")
    return tuple(kind for kind in KINDS if kind in chosen)


def _summary(report: Report, kinds: tuple[str, ...]) -> str:
    if not report:
        return f"nothing breaks (checked: {', '.join(kinds)})"
    counts = ((kind, sum(kind in one.breaks for one in report)) for kind in kinds)
    text = ", ".join(f"{kind} {count}" for kind, count in counts if count)
    return f"{counted(len(report), 'breaking change')}: {text}"


def earlier_stages(project: Project, against: str, console: Console) -> pipeline.Stages | None:
    """Compile the schemas of another version; None if it has none."""
    files = earlier(project.root, against)
    if not files:
        return None
    old = pipeline.run(files, project.options, "checked")
    if old.report:
        console.report(old.report)
        raise Failure(f"the schemas of `{against}` have errors and cannot be compared")
    return old


# The settings of a repository can run commands, and an archive may contain one. So a folder of schemas
# that is disguised as a bare repository is not used, and reading the index runs no monitor.
_SAFE = ("-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false")
# Git may fetch missing objects, with any command that the repository's settings name.
_OFFLINE = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}
# Git sets these for hooks. They locate a repository, and would override `-C`.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
_FILES = (b"100644", b"100755")  # modes of regular files; links are never followed


def earlier(root: str, against: str) -> list[Schema]:
    """Return every schema of the other version, sorted by path; none if it has none.

    Raises:
        Failure: if `against` is neither a folder nor a commit, or if it is both and the folder
            has no schemas.
    """
    if not os.path.isdir(against):
        return _at_commit(root, _commit(root, against), against)
    found = schemas(against)
    if not found and (commit := _also_commit(root, against)):
        raise Failure(
            f"`{against}` is both a folder without schemas (*.pyi) and a Git commit: write "
            f"`./{against}` for the folder, or `{commit}` for the commit"
        )
    return found


def _also_commit(root: str, folder: str) -> str:
    """Return an unambiguous name of a commit whose name is also a folder's; "" if there is none."""
    try:
        commit = _commit(root, folder)
    except Failure:
        return ""
    full = _git(root, "rev-parse", "--verify", "--symbolic-full-name", "--end-of-options", folder)
    name = (full or b"").decode().strip()
    return name if name and not os.path.isdir(name) else commit


def _commit(root: str, ref: str) -> str:
    """Return the hash of the commit that a git revision names."""
    if ref.startswith(":"):
        raise Failure(
            f"`{ref}` is not a commit: a reference that begins with `:` names a file of Git's index, "
            "or text of a message. Write a commit, a tag or a branch, such as `main`"
        )
    if _git(root, "rev-parse", "--git-dir") is None:
        raise Failure(f"`{ref}` is not a folder, and `{root}` is not in a Git repository")
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    # Git also accepts `^main`, all commits except those of `main`, and prints `^` before the hash.
    if commit is None or not commit.strip().isalnum():
        raise Failure(
            f"`{ref}` is neither a folder nor a commit that Git knows here. In a shallow clone, run "
            "`git fetch --unshallow`"
        )
    return commit.decode().strip()


def _at_commit(root: str, commit: str, ref: str) -> list[Schema]:
    # Run in a folder, git lists only the files below it, with paths relative to it.
    listed = _git(root, "ls-tree", "-r", "-z", "--long", commit)
    if listed is None:
        raise _unreadable(ref)
    blobs: list[tuple[str, str]] = []
    for entry in filter(None, listed.split(b"\0")):
        about, _, path = entry.partition(b"\t")
        mode, _, blob, _ = about.split()
        name = os.fsdecode(path)
        is_hidden = any(part.startswith(".") for part in name.split("/"))
        if mode in _FILES and name.endswith(SUFFIX) and not is_hidden:
            if name.count("/") > FOLDERS_MAX:
                raise Failure(
                    f"`{ref}:{shown(root, name)}` is more than {FOLDERS_MAX} folders deep in the "
                    "schema folder"
                )
            blobs.append((name, blob.decode()))
    contents = _contents(root, [blob for _, blob in blobs], ref)
    return [
        (f"{ref}:{shown(root, name)}", name.removesuffix(SUFFIX).replace("/", "."), data)
        for (name, _), data in zip(blobs, contents, strict=True)
    ]


def _unreadable(ref: str) -> Failure:
    return Failure(
        f"Git cannot read the schemas of `{ref}`: the repository lacks some objects. "
        "`git fsck` lists them"
    )


def _contents(root: str, blobs: list[str], ref: str) -> list[bytes]:
    """Return the bytes of each blob.

    A too large blob is cut one byte above the limit, so that later stages can refuse it.
    """
    request = "".join(f"{blob}\n" for blob in blobs).encode()
    answer = _git(root, "cat-file", "--batch", stdin=request)
    if answer is None:
        raise _unreadable(ref)
    contents: list[bytes] = []
    at = 0
    for _ in blobs:
        end = answer.index(b"\n", at)
        _, kind, *size_text = answer[at:end].split()
        if kind != b"blob":
            raise _unreadable(ref)
        size = int(size_text[0])
        contents.append(answer[end + 1 : end + 1 + min(size, SCHEMA_BYTES_MAX + 1)])
        at = end + 1 + size + 1
    return contents


def _git(root: str, *words: str, stdin: bytes = b"") -> bytes | None:
    """Return the output of a git command; None if it fails."""
    # A relative folder in PATH may be one of the project, which may contain its own `git`.
    folders = filter(os.path.isabs, os.get_exec_path())
    git = shutil.which("git", path=os.pathsep.join(folders))
    if git is None:
        raise Failure("git is not installed: compare with a folder, `--against DIR`")
    inherited = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    finished = subprocess.run(  # noqa: S603 -- a list of words, which no shell parses
        [git, *_SAFE, "-C", root, *words],
        input=stdin,
        env=inherited | _OFFLINE,
        capture_output=True,
        check=False,
    )
    return finished.stdout if finished.returncode == 0 else None
