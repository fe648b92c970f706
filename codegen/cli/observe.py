"""`codegen observe`: run a command, and write the field values seen in a package's classes.

$ codegen observe src/heat --report heat.seen.json -- pytest -q
observed 412 kinds of objects of 11 classes; wrote heat.seen.json
$ codegen adopt src/heat --schemas schemas --out src/heat/_generated --observed heat.seen.json
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from codegen.adopt.find.classes import find_classes
from codegen.adopt.observe.run import observe
from codegen.cli.arguments import add_command
from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.output import write

HELP = "run a command and record the field types of its pytree objects"
EXAMPLE = "codegen observe src/heat --report heat.json -- pytest tests"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `observe`."""
    parser.add_argument(
        "src",
        metavar="SRC",
        nargs="?",
        default=os.curdir,
        help="the package: a folder or a file (default: .)",
    )
    parser.add_argument(
        "--report",
        metavar="FILE.json",
        default="observed.json",
        help="write the record to this file (default: observed.json); pass it to "
        "`codegen adopt --observed`",
    )
    add_command(parser, "-- COMMAND ...")


def run(arguments: Namespace, console: Console) -> int:
    """Observe; return 1 if the command failed."""
    if not arguments.behind:
        raise Failure("write a command after `--`: `codegen observe src/heat -- pytest tests`")
    if not os.path.exists(arguments.src):
        raise Failure(f"`{arguments.src}` does not exist: give the folder of a package")
    try:
        found = find_classes(arguments.src)
    except ValueError as error:
        raise Failure(str(error)) from error
    seen = observe(found, arguments.behind)
    write.overwrite(arguments.report, seen.as_json().encode())
    objects = sum(len(one.objects) for one in seen.classes.values())
    console.status(
        f"observed {objects} kinds of objects of {len(seen.classes)} classes; wrote {arguments.report}"
    )
    if seen.status:
        console.finding(f"the command ended with exit status {seen.status}")
    return 1 if seen.status else 0
