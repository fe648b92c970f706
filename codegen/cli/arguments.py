"""Read the arguments of the command, with argparse of the standard library.

read(["-q", "build", "stubs"])    # Namespace(quiet=True, root="stubs", run=codegen.cli.build.run, ...)

No verb is loaded but the one asked for: a build that finds nothing to do has no use for a compiler.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NoReturn

from codegen import __version__
from codegen.cli.console import DOCUMENTS, FORMATS, Console
from codegen.diagnostics.printable import brief, escape, lines
from codegen.diagnostics.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    # It is no module: type checkers alone know it.
    from _typeshed import SupportsWrite

_VERBS = (
    "build", "check", "lint", "breaking", "docs", "show", "explain", "init", "completion", "adopt",
    "observe",
)  # fmt: skip
# Git of a clone that an earlier version set up runs it.
_MERGE_MANIFEST = (
    "`merge-manifest` is gone, as Git merges the manifest itself: in .gitattributes write "
    "`merge=union` instead of `merge=codegen-manifest`, run "
    "`git config --unset merge.codegen-manifest.driver`, and merge again"
)


def read(words: Sequence[str]) -> Namespace:
    """Read the words; what cannot be read ends the process, with the usage of the verb.

    Raises:
        SystemExit: with 2; with 0 where no more than help or the version was asked for.
    """
    verb = _verb(words)
    behind: Sequence[str] = ()
    if verb in ("adopt", "observe") and "--" in words:  # a command of somebody else's stands there
        words, behind = words[: words.index("--")], words[words.index("--") + 1 :]
    command = parser(words)
    if verb == "merge-manifest":
        command.error(_MERGE_MANIFEST)
    if verb and verb not in _VERBS:
        command.error(f"`{verb}` is not a verb; {nearest(verb, _VERBS)}")
    defaults = Namespace(output_format=FORMATS[0], quiet=False, verbose=False, behind=tuple(behind))
    arguments, unread = command.parse_known_args(words, defaults)
    if unread:
        arguments.described.error(f"unrecognized arguments: {' '.join(unread)}")
    return arguments


class _Parser(ArgumentParser):
    """Says with every complaint which options the misspelt ones may be."""

    words: Sequence[str] = ()
    """The words that are read, a program's own name left out."""
    behind: Collection[str] = ()
    """The options of verbs, which stand behind them."""

    @property
    def options(self) -> set[str]:
        """The options that are taken here."""
        return {*self._option_string_actions}

    def error(self, message: str) -> NoReturn:
        hints = [*self._hints()]
        chosen = _chosen_format(self.words)
        if chosen in DOCUMENTS:
            # Whoever reads the document is to find there why there is nothing else.
            console = Console(chosen, is_quiet=True, is_verbose=False)
            console.error(message, *hints)
            console.finish()
        super().error("\n".join(escape(brief(one)) for one in (message, *hints)))

    def _hints(self) -> Iterator[str]:
        named = dict.fromkeys(word.split("=")[0] for word in self.words if word.startswith("-"))
        early = {
            word.split("=")[0] for word in takewhile(lambda one: one not in _VERBS, self.words)
        }
        for name in named:
            if name in self.behind and name in early:
                yield f"`{name}` is an option of a verb: it stands behind it"
            elif name == "--version" and name not in self.options:
                yield "`--version` stands before the verb: `codegen --version`"
            elif name not in self.options and len(name) > len("-q"):
                near = did_you_mean(name, (one for one in self.options if one.startswith("--")))
                if near:
                    yield f"`{name}` is not an option; {near}"

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
    command.words = words
    verbs = command.add_subparsers(metavar="VERB", required=True)
    asked = _verb(words)
    # What completes the command tells of every verb.
    for name in (asked,) if asked in {*_VERBS} - {"completion"} else _VERBS:
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
        described.behind = described.options - command.options
        command.behind = {*command.behind, *described.behind}
    return command


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


def words_of(given: str) -> list[str]:
    """The words of an argument, which commas separate."""
    return [word.strip() for word in given.split(",") if word.strip()]
