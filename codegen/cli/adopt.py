"""`codegen adopt`: write schemas for the existing classes of a project; see `codegen/adopted/`.

$ codegen adopt src/heat --dry-run --report heat.json
heat: 12 pytree classes, 11 to adopt, 1 left as they are, 7 unsound
src/heat/grid.py:31: `heat.grid.Grid` is left as it is: it defines `__init__`; write a function ...

$ codegen adopt src/heat --schemas schemas --out src/heat/_generated --rewrite --observe -- pytest -q
...
compared 412 objects with their twins: they are the same
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from codegen.adopted.adopt import Wish, adopt
from codegen.adopted.show import STAGES
from codegen.cli.console import Console
from codegen.cli.failure import Failure

HELP = "write schemas of the pytree classes that a package has, and say what of them is unsound"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `adopt`."""
    parser.usage = (
        "codegen adopt SRC [--schemas DIR --out DIR] [--rewrite] [--observe] [--shapes] "
        "[--dry-run] [--report FILE.json] [-- COMMAND ...]"
    )
    parser.add_argument("src", metavar="SRC", help="the package: its folder, or a file")
    parser.add_argument("--schemas", metavar="DIR", help="write schemas to this folder")
    parser.add_argument("--out", metavar="DIR", help="the folder of the generated package")
    parser.add_argument(
        "--rewrite",
        action="store_true",
        help="put imports of the generated classes in the place of the definitions",
    )
    parser.add_argument(
        "--observe",
        action="store_true",
        help="run COMMAND, and take the types of what the fields held; with --rewrite, again afterwards",
    )
    parser.add_argument("--observed", metavar="FILE.json", help="take what `codegen observe` wrote")
    parser.add_argument(
        "--shapes", action="store_true", help="declare the dimensions that agreed in what was seen"
    )
    parser.add_argument(
        "--no-import", action="store_true", help="take defaults from the source alone"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="write the report alone, and print the diff"
    )
    parser.add_argument(
        "--leave",
        metavar="NAME",
        action="append",
        default=[],
        help="leave this class as it is, as in heat.plate.Plate; several times for several",
    )
    parser.add_argument(
        "--show",
        metavar="STAGE",
        choices=STAGES,
        help=f"print what one of {', '.join(STAGES)} holds, and write nothing",
    )
    parser.add_argument("--report", metavar="FILE.json", help="write the report to a file")


def run(arguments: Namespace, console: Console) -> int:
    """Adopt; return 1 if it was refused because objects differ."""
    command: tuple[str, ...] = arguments.behind
    wish = Wish(
        src=arguments.src,
        schemas=arguments.schemas or "",
        out=arguments.out or "",
        report=arguments.report or "",
        command=command,
        seen=arguments.observed or "",
        is_rewritten=arguments.rewrite,
        is_dry=arguments.dry_run or arguments.show is not None,
        is_observed=arguments.observe,
        has_shapes=arguments.shapes,
        left=tuple(arguments.leave),
        stage=arguments.show or "",
        imports=not arguments.no_import,
    )
    if bool(wish.schemas) != bool(wish.out):
        raise Failure("`--schemas DIR` and `--out DIR` go together")
    if not wish.schemas and not wish.is_dry:
        raise Failure("name folders by `--schemas` and `--out`, or write nothing by `--dry-run`")
    if (wish.is_observed or wish.seen) and not wish.schemas:
        raise Failure("what is observed is for schemas: name folders by `--schemas` and `--out`")
    if wish.is_observed != bool(command):
        raise Failure("`--observe` needs a command, and a command `--observe`: `-- pytest tests`")
    if wish.has_shapes and not (wish.is_observed or wish.seen):
        raise Failure("`--shapes` declares what was seen: observe, by `--observe` or `--observed`")
    if wish.stage in STAGES[2:] and not wish.schemas:
        raise Failure(f"`--show {wish.stage}` is about folders: `--schemas` and `--out`")
    if wish.stage == "observed" and not (wish.is_observed or wish.seen):
        raise Failure("nothing was observed to show: `--observe` or `--observed`")
    try:
        done = adopt(wish)
    except ValueError as error:
        raise Failure(str(error)) from error
    console.text(done.diff)
    for line in done.lines:
        console.text(f"{line}\n")
    return done.status
