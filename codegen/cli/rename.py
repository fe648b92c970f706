"""`codegen rename`: rename a declaration in the schemas, the output and your Python code.

    $ codegen rename heat.Plate.u temperature --code src
    src/main.py:31: not changed, because mypy does not know its type: return model.u
    renamed heat.Plate.u to temperature: 3 files changed, and the output, in 1.90 s

Everything is computed first, and the new schemas are compiled. Then the schemas are written, the
output, and the code. If one file cannot be written, all are restored. If the process is killed, a
journal in the project's folder lets the next `codegen rename` finish.
"""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from time import perf_counter
from unicodedata import normalize

import msgspec
from msgspec import Struct

from codegen import pipeline
from codegen.cli.build import build
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import (
    Project,
    add_out,
    add_root,
    compare,
    counted,
    made,
    since,
    sources,
    work_tree,
)
from codegen.diagnostics import Code, Diagnostic, Report
from codegen.output import system
from codegen.output.findings import diff, file_diff, refused
from codegen.output.lock import locked
from codegen.output.schemas import JOURNAL, Schema
from codegen.output.transaction import (
    FileChange,
    FilesToWrite,
    Output,
    sigterm_as_exception,
    write_files,
)
from codegen.output.write import clear_temporary_files, overwrite, rewrite
from codegen.rename.names import SchemaNames
from codegen.rename.schemas import check_meaning, rename_in_schemas
from codegen.rename.target import Target, check_new_name, find
from codegen.source import whole_file

HELP = "rename a declaration in the schemas, the output and your code"
EXAMPLE = "codegen rename heat.Plate.u temperature --code src"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `rename`."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="a class, enum, function, dimension or alias, such as heat.Plate, or a member of a "
        "class or enum, such as heat.Plate.u",
    )
    parser.add_argument("new", metavar="NAME", help="the new name, such as temperature")
    add_root(parser)
    add_out(parser)
    parser.add_argument(
        "--code",
        metavar="DIR",
        action="append",
        default=[],
        help="also rename in the Python files below this folder, by the types that mypy finds; may "
        "be repeated",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print the changes as a diff, and write nothing"
    )


def run(arguments: Namespace, console: Console) -> int:
    """Rename, or print what would change."""
    started = perf_counter()
    project = Project.of(arguments)
    project.keep_inside("schema", project.root)
    new = arguments.new
    # Python reads names in this form, so `µ` and `μ` are one name.
    words = (
        normalize("NFKC", arguments.target),
        normalize("NFKC", new) if new.isidentifier() else new,
    )
    if _finish(project, console, is_dry_run=arguments.dry_run) == words:
        return 0
    found = sources(project)
    names = _names_of(found, project)
    target = _target(names, project, *words)
    after = rename_in_schemas(found, names, target, words[1])
    compiled = pipeline.compile(after, project.options)
    if compiled.report:
        console.status("nothing is renamed, because the schemas would then have these mistakes:")
    rendered = made(compiled)
    _refuse(check_meaning(names, _names_of(after, project), target, words[1]))
    plan = compare(rendered, project.out)
    _refuse(refused(plan, project.out, project.build_command))
    code: tuple[FileChange, ...] = ()
    if arguments.code:
        code = _code(arguments.code, project, found, names, target, words[1], console)
    work = FilesToWrite(_changes(found, after), Output(project.out, rendered, plan), code)
    if arguments.dry_run:
        console.text("".join(map(_format_diff, (*work.schemas, *work.sources))))
        console.text(diff(plan, project.out))
    else:
        _write(work, project, words, console)
        files = counted(len(work.schemas) + len(work.sources), "file")
        what = f"renamed {words[0]} to {words[1]}"
        console.status(f"{what}: {files} changed, and the output, in {since(started)}")
    return 0


def _code(
    folders: list[str],
    project: Project,
    found: list[Schema],
    names: SchemaNames,
    target: Target,
    new: str,
    console: Console,
) -> tuple[FileChange, ...]:
    """Return the changes of the Python code, and print the places that stay.

    Raises:
        Mistakes: if the output is not up to date, so that mypy would find other types.
    """
    try:
        from codegen.cli.rename_code import code_changes  # noqa: PLC0415
    except ImportError as error:
        install = "pip install 'pytree-codegen[rename]'"
        raise Failure(f"`--code` needs libcst and mypy: run `{install}`") from error
    plan = compare(made(pipeline.compile(found, project.options)), project.out)
    if plan.changes:
        message = f"`{project.out}` does not match the schemas, so mypy would find other types"
        command = f"run `{project.build_command}` first"
        stale = Diagnostic(Code.STALE_OUTPUT, whole_file(project.out), message, help=command)
        raise Mistakes(Report((stale,)))
    changes, notes = code_changes(folders, project, names, target, new)
    for line in notes:
        console.finding(line)
    return changes


def _refuse(report: Report) -> None:
    if report:
        raise Mistakes(report)


def _names_of(files: list[Schema] | tuple[Schema, ...], project: Project) -> SchemaNames:
    """Return the names in schemas.

    Raises:
        Mistakes: if the schemas have mistakes.
    """
    stages = pipeline.run(files, project.options, "checked")
    _refuse(stages.report)
    assert stages.program is not None, "it has no mistakes"
    return SchemaNames(stages.program, stages.schema, stages.syntax)


def _target(names: SchemaNames, project: Project, path: str, new: str) -> Target:
    target = find(names, path, project.root)
    if isinstance(target, Report):
        raise Mistakes(target)
    if target.old == new:
        raise Failure(f"`{path}` already has the name `{new}`")
    _refuse(check_new_name(target, new))
    return target


def _changes(found: list[Schema], after: tuple[Schema, ...]) -> tuple[FileChange, ...]:
    pairs = zip(found, after, strict=True)
    return tuple(FileChange(old[0], old[2], new[2]) for old, new in pairs if old != new)


def _format_diff(change: FileChange) -> str:
    return file_diff(change.path, change.before or b"", change.after)


# --- writing


class Journal(Struct, frozen=True):
    """The files that an interrupted rename may not have written; their paths start at the journal."""

    words: tuple[str, str]
    changes: tuple[FileChange, ...]


def _write(work: FilesToWrite, project: Project, words: tuple[str, str], console: Console) -> None:
    """Write all files or none, with a journal until they are written."""
    written = (*work.schemas, *work.sources)
    for one in written:
        _keep_in_project(one.path, project)
    changes = [
        FileChange(os.path.relpath(one.path, project.base), one.before, one.after)
        for one in written
    ]
    path = os.path.join(project.base, JOURNAL)
    with sigterm_as_exception():
        try:
            with locked(project.out, console.status) as is_held:
                if is_held:
                    clear_temporary_files(project.base, below=False)
                overwrite(path, msgspec.json.encode(Journal(words, tuple(changes))))
            write_files(work, console.status)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(path)


def _keep_in_project(path: str, project: Project) -> None:
    """Refuse to write to a link, or to a file outside the project and its Git work tree."""
    if system.is_link(path) or not system.lies_in(path, work_tree(project.base) or project.base):
        raise Failure(
            f"`{path}` must be changed, but it is a symbolic link or outside the project: nothing "
            "was renamed"
        )


def _finish(project: Project, console: Console, *, is_dry_run: bool) -> tuple[str, str] | None:
    """Finish a rename that was killed, and return its arguments; None if there is none."""
    path = os.path.join(project.base, JOURNAL)
    try:
        journal = msgspec.json.decode(system.regular(path), type=Journal)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise Failure(
            f"`{path}` is damaged: delete it, and compare the schemas with Git"
        ) from error
    command = shlex.join(["codegen", "rename", *journal.words])
    if is_dry_run:
        raise Failure(f"`{command}` was interrupted: run it again first, without `--dry-run`")
    for one in journal.changes:
        place = os.path.join(project.base, one.path)
        _keep_in_project(place, project)
        if one.after is None or not one.path.endswith((".py", ".pyi")):
            raise Failure(f"`{path}` is damaged: delete it, and compare the schemas with Git")
        try:
            rewrite(place, one.before, one.after)
        except OSError as error:
            raise Failure(
                f"`{command}` was interrupted and cannot finish: `{place}` {error.strerror}. Finish "
                f"the rename by hand, then delete `{path}`"
            ) from error
        clear_temporary_files(os.path.dirname(place))
    os.unlink(path)
    console.status(f"finished an interrupted command: {command}")
    build(project, console)
    return journal.words
