"""`codegen explain`: what a diagnostic or an error of the run time means, and what to write instead.

$ codegen explain star_import
# STAR_IMPORT
...
$ codegen explain
STAR_IMPORT  an import of `*`
...
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.diagnostics import Code
from codegen.diagnostics.pages import RUN_TIME, page
from codegen.diagnostics.suggest import suggest

HELP = "say what a diagnostic or an error of the run time means and what to write instead"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `explain` takes."""
    parser.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="a code such as STAR_IMPORT, or an error such as ConsumedError; without: list them",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Print the page of a code, or the list of codes."""
    summaries = {code.value: code.summary for code in Code} | RUN_TIME
    if arguments.code is None:
        width = max(map(len, summaries))
        console.text("".join(f"{name:<{width}}  {text}\n" for name, text in summaries.items()))
        return 0
    # In any case, with hyphens or underscores, and with a module in front.
    named = {_plain(name): name for name in summaries}
    word = _plain(arguments.code.rpartition(".")[2])
    if word not in named:
        near = suggest(word, named)
        hint = f"did you mean `{named[near]}`?" if near else "`codegen explain` lists all codes"
        raise Failure(f"`{arguments.code}` is not a code; {hint}")
    name = named[word]
    console.text(page(Code[name] if name in Code.__members__ else name))
    return 0


def _plain(name: str) -> str:
    return name.upper().replace("-", "_")
