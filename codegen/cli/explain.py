"""`codegen explain`: what a diagnostic means, why it is one, and what to write instead.

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
from codegen.diagnostics.pages import page
from codegen.diagnostics.suggest import did_you_mean

HELP = "say what a diagnostic means and what to write instead"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `explain` takes."""
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="a code such as STAR_IMPORT; without: list them"
    )


def run(arguments: Namespace, console: Console) -> int:
    """Print the page of a code, or the list of codes."""
    if arguments.code is None:
        width = max(map(len, Code))
        console.text("".join(f"{code.value:<{width}}  {code.summary}\n" for code in Code))
        return 0
    word = arguments.code.upper().replace("-", "_")
    if word not in Code.__members__:
        help_text = did_you_mean(word, Code.__members__, "`codegen explain` lists all codes")
        raise Failure(f"`{arguments.code}` is not a code; {help_text}")
    console.text(page(Code[word]))
    return 0
