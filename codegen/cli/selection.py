"""Which lints a command runs: what the arguments say, else the settings, else the default.

    [tool.codegen]
    select = ["DEFAULT", "UNDOCUMENTED_FIELD"]
    ignore = ["EQUAL_CLASSES"]

`ALL` stands for every lint, `DEFAULT` for those that run where nothing is said.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from codegen.cli import settings
from codegen.cli.failure import Failure
from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.linted.rules import DEFAULT, LINTS

_OPTIONS = ("select", "ignore")


def add_selection(parser: ArgumentParser) -> None:
    """Let a verb take codes."""
    parser.add_argument(
        "--select", metavar="CODES", help="the lints to run, separated by commas; ALL, DEFAULT"
    )
    parser.add_argument(
        "--ignore", metavar="CODES", help="the lints not to run, separated by commas"
    )


def selection(arguments: Namespace) -> frozenset[Code]:
    """The lints that are wanted.

    Raises:
        Failure: where an argument names a code that is none.
        BadSettings: where a setting does.
    """
    _, table = settings.load(os.curdir)
    chosen: dict[str, frozenset[Code]] = {}
    for option in _OPTIONS:
        given = getattr(arguments, option)
        if given is not None:
            words = [word.strip() for word in given.split(",") if word.strip()]
            chosen[option] = _codes(words, option, is_setting=False)
        elif option in table:
            chosen[option] = _codes(table[option], option, is_setting=True)
    return chosen.get("select", DEFAULT) - chosen.get("ignore", frozenset())


def _codes(words: list[str], option: str, *, is_setting: bool) -> frozenset[Code]:
    found: frozenset[Code] = frozenset()
    for word in words:
        codes = _code(word)
        if not isinstance(codes, str):
            found |= codes
        elif is_setting:
            raise settings.refusal(option, word, f"`{option}` names `{word}`, no lint", codes)
        else:
            raise Failure(f"`--{option}` names `{word}`, which is no lint; {codes}")
    return found


def _code(word: str) -> frozenset[Code] | str:
    """The lints that a word stands for, or what to write instead."""
    groups = {"ALL": LINTS, "DEFAULT": DEFAULT}
    if word in groups:
        return groups[word]
    if word in LINTS:
        return frozenset({Code[word]})
    if word in Code.__members__:
        return f"`{word}` stops a build, and is always looked for"
    return did_you_mean(word, [*LINTS, *groups], "`codegen explain` lists all codes")
