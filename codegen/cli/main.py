"""The command `codegen`: read the arguments, run a verb, turn what happened into an exit status.

    $ codegen -q build schemas --out generated
    $ echo $?
    0       fine
    1       there is something to mend: a diagnostic, a stale file
    2       the command could not run: usage, an unreadable folder, a mistake in codegen
    130     interrupted from the keyboard

argparse, of the standard library, reads the arguments: it loads in a fifth of the time of the
alternatives, and a build that finds nothing to do takes little longer than Python's own start.
For the same reason no module of this folder imports at its top what only some runs need.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from importlib import import_module

from codegen import __version__
from codegen.cli.console import FORMATS, Console
from codegen.cli.failure import BadSettings, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:  # takes as long to load as all the rest
    from typing import NoReturn

_VERBS = ("build", "check", "lint", "breaking", "docs", "show", "explain", "init", "completion")


def run() -> None:
    """Run the command of this process, and end the process."""
    # Trees and texts are all there is, and hold no cycles: looking for some takes a tenth of a build.
    gc.disable()
    sys.exit(main(sys.argv[1:]))


def main(words: Sequence[str]) -> int:
    """Run one command; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal lacks is no reason to fail.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = _arguments(words)
    console = Console(
        arguments.output_format, is_quiet=arguments.quiet, is_verbose=arguments.verbose
    )
    try:
        status = _guarded(arguments, console)
        console.finish()
        sys.stdout.flush()
    except BrokenPipeError:
        return _closed_pipe()
    return status


def _arguments(words: Sequence[str]) -> Namespace:
    """Read the words; what cannot be read ends the process, with the usage of the verb."""
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

    def error(self, message: str) -> NoReturn:
        options = [name for name in self._option_string_actions if name.startswith("--")]
        named = [word.split("=")[0] for word in self.words if word.startswith("-")]
        unknown = [name for name in dict.fromkeys(named) if name not in self._option_string_actions]
        found = [(name, _nearest(name, options, "")) for name in unknown if len(name) > len("-q")]
        hints = [f"\n`{name}` is not an option; {near}" for name, near in found if near]
        super().error("".join([message, *hints]))


def _nearest(word: str, known: Collection[str], otherwise: str | None = None) -> str:
    from codegen.diagnostics.suggest import did_you_mean

    listed = f"there are {', '.join(known)}" if otherwise is None else otherwise
    return did_you_mean(word, known, listed)


def _guarded(arguments: Namespace, console: Console) -> int:
    """Run the verb, and say in a line or two why it could not."""
    try:
        return int(arguments.run(arguments, console))
    except Failure as failure:
        console.error(str(failure))
    except BadSettings as settings:
        console.report(settings.report)
    except BrokenPipeError:
        raise
    except OSError as error:
        console.error(console.reason(error))
    except KeyboardInterrupt:
        console.error("interrupted")
        return 130
    except Exception as error:  # noqa: BLE001 -- the last resort, which a user is to see no more of
        _internal_error(error, console)
    return 2


def _internal_error(error: Exception, console: Console) -> None:
    if console.is_verbose:
        import traceback

        traceback.print_exception(error)
    console.error(
        f"codegen {__version__} made a mistake, not you: {type(error).__name__}: {error}\n"
        "Please report it, with the schema that it was met with and what `-v` adds to this."
    )


def _closed_pipe() -> int:
    """Whoever read the output has read enough, as `head` has; say nothing more."""
    # Python flushes standard output when it ends, and would complain once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 141  # what a shell shows for a program that SIGPIPE has ended


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
        described.set_defaults(run=verb.run, described=described)
        described.words = words
    command.words = words
    return command


def _asked(words: Sequence[str]) -> tuple[str, ...]:
    """The verb alone, where it is plain which one it is: no other has to be loaded then."""
    verb = _verb(words)
    return (verb,) if verb in _VERBS else _VERBS


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
