"""Read the arguments of the command, with argparse of the standard library.

read(["-q", "build", "stubs"])    # Namespace(quiet=True, root="stubs", run=codegen.cli.build.run, ...)

It loads in a fifth of the time of the alternatives. No verb is loaded but the one that is asked for:
some need the compiler, of which a build that finds nothing to do has no use.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from importlib import import_module
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NoReturn

from codegen import __version__
from codegen.cli.console import DOCUMENTS, FORMATS, Console
from codegen.diagnostics.printable import escape, lines
from codegen.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    # It is no module: type checkers alone know it.
    from _typeshed import SupportsWrite

_VERBS = ("build", "check", "lint", "breaking", "docs", "show", "explain", "init", "completion")


def read(words: Sequence[str]) -> Namespace:
    """Read the words; what cannot be read ends the process, with the usage of the verb.

    Raises:
        SystemExit: with 2; with 0 where no more than help or the version was asked for.
    """
    command = parser(words)
    verb = _verb(words)
    if verb and verb not in _VERBS:
        command.error(f"`{verb}` is not a verb; {_nearest(verb, _VERBS)}")
    arguments, unread = command.parse_known_args(words, _defaults())
    if unread:
        arguments.described.error(f"unrecognized arguments: {' '.join(unread)}")
    return arguments


class _Parser(ArgumentParser):
    """Says with every complaint which options the misspelt ones may be."""

    words: Sequence[str] = ()
    """The words that are read, a program's own name left out."""
    behind: Collection[str] = ()
    """The options of verbs, which stand behind them."""
    is_of_verb = False

    @property
    def options(self) -> set[str]:
        """The options that are taken here."""
        return {*self._option_string_actions}

    def error(self, message: str) -> NoReturn:
        options = [name for name in self._option_string_actions if name.startswith("--")]
        named = [word.split("=")[0] for word in self.words if word.startswith("-")]
        unknown = [name for name in dict.fromkeys(named) if name not in self._option_string_actions]
        found = [(name, _nearest(name, options, "")) for name in unknown if len(name) > len("-q")]
        early = takewhile(lambda word: word not in _VERBS, self.words)
        misplaced = [name for word in early if (name := word.split("=")[0]) in self.behind]
        hints = [
            f"`{name}` is not an option; {near}"
            for name, near in found
            if near and name not in misplaced
        ]
        if self.is_of_verb and "--version" in named:
            hints = [hint for hint in hints if not hint.startswith("`--version`")]
            hints.append("`--version` stands before the verb: `codegen --version`")
        hints += [f"`{name}` is an option of a verb: it stands behind it" for name in misplaced]
        chosen = _chosen_format(self.words)
        if chosen in DOCUMENTS:
            # Whoever reads the document is to find there why there is nothing else.
            console = Console(chosen, is_quiet=True, is_verbose=False)
            console.error(message, *hints)
            console.finish()
        super().error("\n".join(map(escape, (message, *hints))))

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        super()._print_message(lines(message), file)


def _chosen_format(words: Sequence[str]) -> str:
    """The output format, as far as it can be told from words that cannot be read."""
    for word, after in pairwise([*words, ""]):
        if word == "--output-format":
            return after
        if word.startswith("--output-format="):
            return word.partition("=")[2]
    return FORMATS[0]


def _nearest(word: str, known: Collection[str], otherwise: str | None = None) -> str:
    listed = f"there are {', '.join(known)}" if otherwise is None else otherwise
    return did_you_mean(word, known, listed)


def parser(words: Sequence[str] = ()) -> ArgumentParser:
    """What the command takes; every verb of it, or the one that the words ask for."""
    shared = _shared()
    command = _Parser(
        prog="codegen",
        description="Compile schemas, written as Python stubs, into pytree dataclasses for JAX.",
        parents=[shared],
        allow_abbrev=False,
    )
    command.add_argument("--version", action="version", version=f"codegen {__version__}")
    verbs = command.add_subparsers(metavar="VERB", required=True)
    for name in _asked(words):
        verb = import_module(f"codegen.cli.{name}")
        described = verbs.add_parser(
            name,
            help=verb.HELP,
            description=f"{verb.HELP[0].upper()}{verb.HELP[1:]}.",
            parents=[shared],
            allow_abbrev=False,
        )
        verb.add_arguments(described)
        described.set_defaults(run=verb.run, described=described, command=command)
        described.words = words
        described.is_of_verb = True
        described.behind = described.options - command.options
        command.behind = {*command.behind, *described.behind}
    command.words = words
    return command


def _asked(words: Sequence[str]) -> tuple[str, ...]:
    """The verb alone, where it is plain which one it is and that it does not tell of the others."""
    verb = _verb(words)
    return (verb,) if verb in _VERBS and verb != "completion" else _VERBS


def _verb(words: Sequence[str]) -> str:
    """The word in the place of the verb; empty where there is none."""
    before = ""
    for word in words:
        if not word.startswith("-") and before != "--output-format":
            return word
        before = word
    return ""


def _shared() -> _Parser:
    """The options that are taken before the verb and behind it."""
    # Suppressed defaults, because the verb's parser would overwrite what stood before the verb.
    shared = _Parser(add_help=False, argument_default=SUPPRESS, allow_abbrev=False)
    shared.add_argument("--output-format", choices=FORMATS, help="how diagnostics are written")
    shared.add_argument("-q", "--quiet", action="store_true", help="say nothing but what is wrong")
    shared.add_argument("-v", "--verbose", action="store_true", help="say what is done")
    return shared


def _defaults() -> Namespace:
    return Namespace(output_format=FORMATS[0], quiet=False, verbose=False)
