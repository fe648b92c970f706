"""`codegen adopt`: schemas from the classes that a project has; see `codegen/adopted/`.

$ codegen adopt src/heat --dry-run --report heat.json
heat: 12 pytree classes, 11 to adopt, 1 left as it is, 7 unsound
src/heat/grid.py:31: `heat.grid.Grid` is left as it is: it defines `__init__`; write a function ...
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from codegen.adopted.adopt import Wish, adopt
from codegen.cli.console import Console
from codegen.cli.failure import Failure

HELP = "write schemas of the pytree classes that a package has, and say what of them is unsound"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `adopt` takes."""
    parser.add_argument("src", metavar="SRC", help="the package: its folder, or a file")
    parser.add_argument("--dry-run", action="store_true", help="write nothing but the report")
    parser.add_argument("--report", metavar="FILE.json", help="write the report to a file")


def run(arguments: Namespace, console: Console) -> int:
    """Adopt; 1 where it was refused."""
    try:
        done = adopt(Wish(arguments.src, report=arguments.report or ""))
    except ValueError as error:
        raise Failure(str(error)) from error
    console.text("".join(f"{line}\n" for line in done.lines))
    return done.status
