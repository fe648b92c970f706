"""`codegen adopt`: write schemas for the existing classes of a project; see `codegen/adopt/`.

$ codegen adopt src/heat --dry-run --report heat.json
heat: 12 pytree classes, 11 to adopt, 1 not adopted, 7 possibly unsound
src/heat/grid.py:31: `heat.grid.Grid` is not adopted: it defines `__init__`; write a function ...

$ codegen adopt src/heat --prove -- pytest -q
7 findings: 2 confirmed, 4 not reproduced, 1 not tried
src/heat/plate.py:12: confirmed: static mutable, `heat.plate.Plate.rates`: change ignored: 1.0 should be 5.0

$ codegen adopt src/heat --schemas schemas --out src/heat/_generated --rewrite --observe -- pytest -q
...
compared 412 objects of both runs: no difference
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from codegen.adopt.adopt import AdoptOptions, adopt
from codegen.cli.arguments import add_command
from codegen.cli.console import Console
from codegen.cli.failure import Failure

HELP = "write schemas for a package's pytree classes, and report their mistakes"
EXAMPLE = "codegen adopt src/heat --schemas schemas --out src/heat/generated"
_PROVE = (
    "run a program for each finding, print which are confirmed, and write only the report; with "
    "COMMAND, the programs use the arguments that it passes"
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `adopt`."""
    parser.add_argument("src", metavar="SRC", help="the package: a folder or a file")
    parser.add_argument(
        "--schemas",
        metavar="DIR",
        help="required, except with --dry-run; the folder for the schemas",
    )
    parser.add_argument(
        "--out", metavar="DIR", help="required with --schemas; the folder for the generated package"
    )
    parser.add_argument(
        "--rewrite",
        action="store_true",
        help="replace the class definitions with imports of the generated classes",
    )
    parser.add_argument(
        "--observe",
        action="store_true",
        help="run COMMAND and take the field types from its objects; with --rewrite, run COMMAND "
        "again and compare the objects",
    )
    parser.add_argument(
        "--observed",
        metavar="FILE.json",
        help="take the field types from a file of `codegen observe`",
    )
    parser.add_argument(
        "--shapes",
        action="store_true",
        help="declare dimensions for axes whose sizes were equal in all observed objects",
    )
    parser.add_argument(
        "--accept-unseen",
        action="store_true",
        help="return 0 even if COMMAND did not run a line that can have an object of any class",
    )
    parser.add_argument(
        "--no-import",
        action="store_true",
        help="read defaults from the source, without importing the package",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print the changes; write only the report"
    )
    parser.add_argument(
        "--leave",
        metavar="NAME",
        action="append",
        default=[],
        help="do not adopt this class, such as heat.plate.Plate; may be repeated",
    )
    parser.add_argument("--prove", action="store_true", help=_PROVE)
    parser.add_argument("--report", metavar="FILE.json", help="write the report to this file")
    add_command(parser, "[-- COMMAND ...]")


def run(arguments: Namespace, console: Console) -> int:
    """Adopt; return 1 if objects differ after the rewrite, a line did not run, or a finding is confirmed."""
    command: tuple[str, ...] = arguments.behind
    options = AdoptOptions(
        src=arguments.src,
        schemas=arguments.schemas or "",
        out=arguments.out or "",
        report=arguments.report or "",
        command=command,
        observed_file=arguments.observed or "",
        is_rewritten=arguments.rewrite,
        is_dry_run=arguments.dry_run,
        is_observed=arguments.observe,
        has_shapes=arguments.shapes,
        accepts_unseen=arguments.accept_unseen,
        excluded=tuple(arguments.leave),
        reads_imported=not arguments.no_import,
        is_proved=arguments.prove,
    )
    if bool(options.schemas) != bool(options.out):
        raise Failure("`--schemas` and `--out` belong together: write `--schemas DIR --out DIR`")
    if options.is_proved and (options.schemas or options.is_observed or options.is_dry_run):
        raise Failure("`--prove` only reads the package: omit all options except `--report`")
    if not options.schemas and not options.is_dry_run and not options.is_proved:
        raise Failure("no folder to write to: add `--schemas DIR --out DIR`, or add `--dry-run`")
    if (options.is_observed or options.observed_file) and not options.schemas:
        raise Failure(
            "`--observe` and `--observed` need a folder for schemas: add `--schemas DIR --out DIR`"
        )
    if options.is_observed != bool(command) and not options.is_proved:
        raise Failure(
            "`--observe` and a command belong together: write `--observe -- pytest tests`"
        )
    option = "--shapes" if options.has_shapes else "--accept-unseen"
    if (options.has_shapes or options.accepts_unseen) and not (
        options.is_observed or options.observed_file
    ):
        raise Failure(
            f"`{option}` needs observations: add `--observe -- COMMAND` or `--observed FILE.json`"
        )
    try:
        result = adopt(options, console.status)
    except ValueError as error:
        raise Failure(str(error)) from error
    console.text(result.diff)
    for line in result.lines:
        console.text(f"{line}\n")
    return result.status
