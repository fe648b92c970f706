"""Read the arguments of the command, with argparse of the standard library.

read(["-q", "build", "stubs"])    # Namespace(quiet=True, root="stubs", run=codegen.cli.build.run, ...)

Only the requested verb is imported: a build that finds nothing to do does not need the compiler.
"""

from __future__ import annotations

import sys
from argparse import (
    SUPPRESS,
    Action,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NoReturn

from codegen.cli.console import FORMATS, Console, write_message, write_output
from codegen.diagnostics.printable import brief, escape, lines
from codegen.diagnostics.suggest import did_you_mean, nearest
from codegen.installation import DISTRIBUTION, __version__, damage

if TYPE_CHECKING:
    # It is not a real module: only type checkers know it.
    from _typeshed import SupportsWrite

VERBS = (
    "build", "check", "lint", "breaking", "show", "explain", "init", "completion",
    "adopt", "observe",
)  # fmt: skip
# What to use instead of the verbs of 1.0.0rc1. The next version will not know them.
_REMOVED = {
    # Git runs it in a clone that an earlier version set up.
    "merge-manifest": "Git merges the manifest itself: in .gitattributes, write `merge=union` "
    "instead of `merge=codegen-manifest`. Then run "
    "`git config --unset merge.codegen-manifest.driver`, and merge again",
    "docs": "the output has docstrings, which mkdocstrings and Sphinx show: see docs/api-pages.md",
    "plan": "in Python, `print(table(Plate.abstract(nx=4096, ny=4096)))` shows the same table: see "
    "docs/memory.md",
    "rename": "edit the schema, write `# codegen: was[old_name]` on the line, and build: type "
    "checkers, and the rename of your editor, find the uses in your code",
}
_STATUS = (
    "exit status: 0 if all is fine, 1 if there is something to fix,\n"
    "             2 if the command could not run"
)


def read(words: Sequence[str]) -> Namespace:
    """Parse the words. If they are wrong, print the usage of the verb and end the process.

    Raises:
        SystemExit: with 2; with 0 if only help or the version was requested.
    """
    verb = _verb(words)
    behind: Sequence[str] = ()
    if verb in ("adopt", "observe") and "--" in words:  # another command follows
        words, behind = words[: words.index("--")], words[words.index("--") + 1 :]
    command = parser(words)
    if verb in _REMOVED:
        command.error(f"`{verb}` was removed; {_REMOVED[verb]}")
    if verb and verb not in VERBS:
        command.error(f"`{verb}` is not a verb; {nearest(verb, VERBS)}")
    defaults = Namespace(output_format=FORMATS[0], quiet=False, verbose=False, behind=tuple(behind))
    arguments, unread = command.parse_known_args(words, defaults)
    if unread:
        arguments.described.error(f"unrecognized arguments: {' '.join(unread)}")
    return arguments


class _Parser(ArgumentParser):
    """An argument parser whose errors suggest the right spelling of wrong options."""

    words: Sequence[str] = ()
    """The words to parse, without the name of the program."""
    behind: Collection[str] = ()
    """The options of verbs, which must follow the verb."""

    @property
    def options(self) -> set[str]:
        """The options of this parser."""
        return {*self._option_string_actions}

    def error(self, message: str) -> NoReturn:
        hints = [*self._hints()]
        chosen = _chosen_format(self.words)
        if chosen == "json":
            # The document must contain the reason why it has nothing else.
            console = Console(chosen, is_quiet=True, is_verbose=False)
            console.error(message, *hints)
            console.finish()
        super().error("\n".join(escape(brief(one)) for one in (message, *hints)))

    def _hints(self) -> Iterator[str]:
        named = dict.fromkeys(word.split("=")[0] for word in self.words if word.startswith("-"))
        early = {word.split("=")[0] for word in takewhile(lambda one: one not in VERBS, self.words)}
        for name in named:
            if name in self.behind and name in early:
                yield f"`{name}` is an option of a verb: write it after the verb"
            elif name == "--version" and name not in self.options:
                yield "write `--version` without a verb: `codegen --version`"
            elif name not in self.options and len(name) > len("-q"):
                near = did_you_mean(name, (one for one in self.options if one.startswith("--")))
                if near:
                    yield f"`{name}` is not an option; {near}"

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # The method of argparse ignores errors, so a help text could be lost.
        (write_output if file is sys.stdout else write_message)(lines(message))


class _Version(Action):
    """Print the version, and whether another distribution damaged the package."""

    def __call__(self, parser: ArgumentParser, *_: object) -> NoReturn:
        """End the process."""
        write_output(f"codegen {__version__} (distribution {DISTRIBUTION})\n")
        parser.exit(1 if damage() else 0, "".join(f"{line}\n" for line in damage()))


def _chosen_format(words: Sequence[str]) -> str:
    """Return the output format from words that argparse could not parse; else the default."""
    for word, after in pairwise([*words, ""]):
        if word == "--output-format":
            return after
        if word.startswith("--output-format="):
            return word.partition("=")[2]
    return FORMATS[0]


def parser(words: Sequence[str] = ()) -> ArgumentParser:
    """Return the parser of the command, with every verb or only the one in `words`."""
    shared = _shared()
    command = _Parser(
        prog="codegen",
        description="Compile schemas, written as Python stubs, into pytree dataclasses for JAX.",
        epilog=f"`codegen VERB --help` shows the options of a verb.\n\n{_STATUS}",
        formatter_class=RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    command.add_argument(
        "--version", action=_Version, nargs=0, help="show the version and the distribution"
    )
    command.words = words
    verbs = command.add_subparsers(metavar="VERB", required=True)
    requested = _verb(words)
    # The completion script needs every verb.
    for name in (requested,) if requested in {*VERBS} - {"completion"} else VERBS:
        verb = import_module(f"codegen.cli.{name}")
        described = verbs.add_parser(
            name,
            help=verb.HELP,
            description=f"{verb.HELP[0].upper()}{verb.HELP[1:]}.",
            epilog=f"example:\n  {verb.EXAMPLE}\n\n{_STATUS}",
            formatter_class=RawDescriptionHelpFormatter,
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
    """Return the word at the position of the verb; "" if there is none."""
    before = ""
    for word in words:
        if not word.startswith("-") and before != "--output-format":
            return word
        before = word
    return ""


def _shared() -> _Parser:
    """Return a parser of the options that may come before or after the verb."""
    # Without suppressed defaults the verb's parser would overwrite options given before the verb.
    shared = _Parser(add_help=False, argument_default=SUPPRESS, allow_abbrev=False)
    shared.add_argument(
        "--output-format",
        metavar="FORMAT",
        type=_output_format,
        choices=FORMATS,
        help="the format of errors and reports: full (default), concise, json or github",
    )
    shared.add_argument("-q", "--quiet", action="store_true", help="print only errors and results")
    shared.add_argument("-v", "--verbose", action="store_true", help="print more details")
    return shared


def _output_format(word: str) -> str:
    if word == "sarif":
        raise ArgumentTypeError("`sarif` was removed; use `json`, or `github` for annotations")
    return word


def add_command(parser: ArgumentParser, usage: str) -> None:
    """Describe the COMMAND after `--`, and add `usage` to the usage line."""
    parser.add_argument_group("COMMAND", "the command to run, such as: pytest tests")
    start = "usage: "
    parser.usage = f"{parser.format_usage().removeprefix(start).rstrip()} {usage}"


def words_of(text: str) -> list[str]:
    """Split an argument at its commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
