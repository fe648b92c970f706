"""Read the words of the builds that are run most without loading a parser.

plain(["build"])                     # Arguments(root=None, quiet=False, ...)
plain(["-q", "build", "schemas/"])   # Arguments(root="schemas/", quiet=True, ...)
plain(["build", "--watch"])          # None: for codegen.cli.arguments

A parser takes a third of the time of a build that finds nothing to do. What is read here it would
read the same, which a test holds against it.
"""

from __future__ import annotations

from types import SimpleNamespace

from codegen.cli import build
from codegen.cli.console import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import TypeAlias

    Arguments: TypeAlias = Namespace | SimpleNamespace
    """The options of a verb, and the function `run` that carries it out."""

_QUIET, _VERBOSE = ("-q", "--quiet"), ("-v", "--verbose")


def plain(words: Sequence[str]) -> Arguments | None:
    """Read `codegen [-q] [-v] build [ROOT]`; None where there is anything else."""
    named = [word for word in words if word not in _QUIET + _VERBOSE]
    if named[:1] != ["build"] or len(named) > 2 or any(word[:1] in ("", "-") for word in named):
        return None
    return SimpleNamespace(
        run=build.run,
        output_format=FORMATS[0],
        quiet=any(word in _QUIET for word in words),
        verbose=any(word in _VERBOSE for word in words),
        root=named[1] if len(named) > 1 else None,
        **build.DEFAULTS,
    )
