"""`codegen breaking`: say what of the schemas breaks what was made for an earlier version.

    $ codegen breaking --against main
    error[FIELD_ADDED]: the required field `alpha` was added to `Plate`
    ...
    2 changes break something: constructor 1, checkpoint 2
    $ codegen breaking --against v1.2 --kinds checkpoint
    $ codegen breaking --against ../released/schemas

Exit status 1 where there is such a change.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from codegen import pipeline
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.history import earlier
from codegen.cli.project import Project, add_root
from codegen.cli.selection import words_of
from codegen.cli.stages import counted, sources
from codegen.diagnostics import Report
from codegen.diagnostics.suggest import nearest
from codegen.diff.comparison import KINDS

HELP = "say what breaks code, constructors, treedefs or checkpoints of an earlier version"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `breaking` takes."""
    add_root(parser)
    parser.add_argument(
        "--against",
        metavar="DIR|GIT_REF",
        required=True,
        help="the earlier version: a folder of schemas, or a commit, tag or branch",
    )
    parser.add_argument(
        "--kinds",
        metavar="KINDS",
        default=",".join(KINDS),
        help="what must not break, separated by commas: source, constructor, treedef, checkpoint "
        "(default: all)",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Compare; 1 where something breaks."""
    project = Project.of(arguments, has_output=False)
    kinds = _kinds(arguments.kinds)
    found = sources(project)
    before = earlier(project.root, arguments.against)
    new = pipeline.run(found, project.options, "checked")
    if new.report:
        raise Mistakes(new.report)
    if not before:
        where = f"`{project.root}` in `{arguments.against}`"
        console.status(f"nothing breaks: there is no schema (*.pyi) of {where}")
        return 0
    old = pipeline.run(before, project.options, "checked")
    if old.report:
        console.report(old.report)
        raise Failure(f"the schemas of `{arguments.against}` are wrong: nothing to compare with")
    report = pipeline.breaking(old, new, kinds)
    console.report(report)
    console.status(_summary(report, kinds))
    return 1 if report else 0


def _kinds(words: str) -> tuple[str, ...]:
    asked = words_of(words)
    if not asked:
        raise Failure(f"`--kinds` names none; there are {', '.join(KINDS)}")
    for word in asked:
        if word not in KINDS:
            raise Failure(f"`--kinds` names `{word}`, which is none; {nearest(word, KINDS)}")
    return tuple(kind for kind in KINDS if kind in asked)


def _summary(report: Report, kinds: tuple[str, ...]) -> str:
    if not report:
        return f"nothing breaks: {', '.join(kinds)}"
    counts = ((kind, sum(kind in one.breaks for one in report)) for kind in kinds)
    said = ", ".join(f"{kind} {count}" for kind, count in counts if count)
    verb = "breaks" if len(report) == 1 else "break"
    return f"{counted(len(report), 'change')} {verb} something: {said}"
