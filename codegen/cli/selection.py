"""Which lints a command runs: what the arguments say, else the settings, else the default.

    [tool.codegen]
    select = ["DEFAULT", "UNDOCUMENTED_FIELD"]
    ignore = ["EQUAL_CLASSES"]

`ALL` stands for every lint, `DEFAULT` for those that run where nothing is said.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping

from codegen.cli import settings
from codegen.cli.failure import Failure
from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.linted.rules import DEFAULT, LINTS

_GROUPS = {"ALL": LINTS, "DEFAULT": DEFAULT}


def selection(arguments: Namespace) -> frozenset[Code]:
    """The lints that are wanted.

    Raises:
        Failure: where an argument names a code that is none.
        BadSettings: where a setting does.
    """
    _, table = settings.load(os.curdir)
    selected = _chosen("select", arguments.select, table, ["DEFAULT"])
    return selected - _chosen("ignore", arguments.ignore, table, [])


def _chosen(
    option: str, given: str | None, table: Mapping[str, list[str]], default: list[str]
) -> frozenset[Code]:
    """The lints that an option or, where it is not given, the setting of its name stands for."""
    words = table.get(option, default) if given is None else words_of(given)
    found: frozenset[Code] = frozenset()
    for word in words:
        if word in _GROUPS:
            found |= _GROUPS[word]
        elif word in LINTS:
            found |= {Code[word]}
        elif given is None:
            raise settings.refusal(option, word, f"`{option}` names `{word}`, no lint", _help(word))
        else:
            raise Failure(f"`--{option}` names `{word}`, which is no lint; {_help(word)}")
    return found


def words_of(given: str) -> list[str]:
    """The words of an argument, which commas separate."""
    return [word.strip() for word in given.split(",") if word.strip()]


def _help(word: str) -> str:
    """What to write instead of a word that is no lint."""
    if word in Code.__members__:
        return f"`{word}` stops a build, and is always looked for"
    return did_you_mean(word, [*LINTS, *_GROUPS], "`codegen explain` lists all codes")
