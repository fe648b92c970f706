"""`codegen explain`: explain a diagnostic or a run-time error, and what to write instead.

$ codegen explain alias_cycle
# ALIAS_CYCLE
...
$ codegen explain
ALIAS_CYCLE  an alias that refers to itself
...
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.diagnostics import Code
from codegen.diagnostics.codes import REMOVED
from codegen.diagnostics.pages import RUN_TIME, page
from codegen.diagnostics.suggest import suggest

HELP = "explain a diagnostic or a run-time error"
EXAMPLE = "codegen explain MISSING_ROLE"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument(
        "code",
        metavar="CODE",
        nargs="?",
        help="a code such as ALIAS_CYCLE, or an error such as ConsumedError (without CODE, list all of them)",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Print the page of a code, or the list of codes."""
    summaries = {code.value: code.summary for code in Code} | RUN_TIME
    if arguments.code is None:
        width = max(map(len, summaries))
        console.text("".join(f"{name:<{width}}  {text}\n" for name, text in summaries.items()))
        return 0
    # Accept any case, hyphens or underscores, and a module prefix.
    named = {_plain(name): name for name in (*summaries, *REMOVED)}
    word = _plain(arguments.code.rpartition(".")[2])
    if word not in named:
        near = suggest(word, named)
        hint = f"did you mean `{named[near]}`?" if near else "`codegen explain` lists all codes"
        raise Failure(f"`{arguments.code}` is not a code; {hint}")
    name = named[word]
    if name in REMOVED:
        console.text(f"`{name}` was removed: {REMOVED[name]}.\n")
    else:
        console.text(page(Code.__members__.get(name) or name))
    return 0


def _plain(name: str) -> str:
    return name.upper().replace("-", "_")
