"""Which lints a command runs: what the arguments say, else the settings, else the default.

    [tool.codegen]
    select = ["DEFAULT", "UNDOCUMENTED_FIELD"]
    ignore = ["UNUSED_ALIAS"]

`ALL` stands for every lint, `DEFAULT` for those that run where nothing is said.
"""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping

from codegen.cli import settings
from codegen.cli.failure import Failure
from codegen.diagnostics import Code
from codegen.diagnostics.codes import REMOVED
from codegen.diagnostics.suggest import did_you_mean
from codegen.lint.lint import DEFAULT, LINTS
from codegen.output.schemas import Schema

_IGNORE = re.compile(rb"#\s*codegen:\s*ignore\[([^\]\n]*)")
_WORD = re.compile(rb"\w+")
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
        elif word in REMOVED:
            continue
        elif given is None:
            raise settings.refusal(option, word, f"`{option}` names `{word}`, no lint", _help(word))
        else:
            raise Failure(f"`--{option}` names `{word}`, which is no lint; {_help(word)}")
    return found


def removed_lints(arguments: Namespace, files: Iterable[Schema]) -> Iterator[str]:
    """Yield a notice for each removed lint that an option, a setting or a comment names."""
    _, table = settings.load(os.curdir)
    for option in ("select", "ignore"):
        given = getattr(arguments, option)
        words = table.get(option, ()) if given is None else words_of(given)
        yield from (_notice(f"`{option}`", word) for word in words if word in REMOVED)
    for path, _, data in files:
        words = {word.decode() for codes in _IGNORE.findall(data) for word in _WORD.findall(codes)}
        yield from (_notice(path, word) for word in sorted(words & REMOVED.keys()))


def _notice(place: str, word: str) -> str:
    return f"{place} names `{word}`, a lint of an earlier version: delete the name"


def words_of(given: str) -> list[str]:
    """The words of an argument, which commas separate."""
    return [word.strip() for word in given.split(",") if word.strip()]


def _help(word: str) -> str:
    """What to write instead of a word that is no lint."""
    if word in Code.__members__:
        return f"`{word}` stops a build, and is always looked for"
    return did_you_mean(word, [*LINTS, *_GROUPS], "`codegen explain` lists all codes")
