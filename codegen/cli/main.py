"""The command `codegen`: read the arguments, run a verb, turn what happened into an exit status.

    $ codegen -q build schemas --out generated
    $ echo $?
    0       fine
    1       there is something to mend: a diagnostic, a stale file
    2       the command could not run: usage, an unreadable folder, a mistake in codegen
    130     interrupted from the keyboard

A build that finds nothing to do is the commonest: a verb is imported when it is asked for, and the
compiler, which would double the time, when there is something to compile.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from typing import TextIO

from codegen import __version__
from codegen.cli.arguments import read
from codegen.cli.console import Console, silence
from codegen.cli.failure import BadSettings, Failure, Mistakes
from codegen.options import TooDeepError


def run() -> None:
    """Run the command of this process, and end the process."""
    sys.exit(main(sys.argv[1:]))


def main(words: Sequence[str]) -> int:
    """Run one command; the exit status."""
    # Of a stream that is closed Python makes None; what nobody reads is no reason to fail.
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        # Nor is a character that the terminal lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = read(words)
    except KeyboardInterrupt:
        return 130
    console = Console(
        arguments.output_format, is_quiet=arguments.quiet, is_verbose=arguments.verbose
    )
    try:
        status = _guarded(arguments, console)
        console.finish()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has read enough, as `head` has
        silence(sys.stdout)
        return 141  # what a shell shows for a program that SIGPIPE has ended
    except OSError as error:  # a full disk
        silence(sys.stdout)
        console.error(f"standard output: {console.reason(error)}")
        return 2
    return status


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _guarded(arguments: Namespace, console: Console) -> int:
    """Run the verb, and say in a line or two why it could not."""
    try:
        return int(arguments.run(arguments, console))
    except Failure as failure:
        console.error(str(failure))
    except BadSettings as settings:
        console.report(settings.report)
        console.refused("the settings of codegen have mistakes")
    except Mistakes as mistakes:
        console.report(mistakes.report)
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        console.error(console.reason(error))
    except KeyboardInterrupt:
        console.error("interrupted")
        return 130
    except MemoryError:
        console.error("there is not enough memory")
    except Exception as error:  # noqa: BLE001 -- the last resort, which a user is to see no more of
        for line in "".join(traceback.format_exception(error)).splitlines():
            console.detail(line)
        report = (
            "Please report it, with the schema that it was met with and what `-v` adds to this."
        )
        if isinstance(error, TooDeepError):
            console.error(
                f"{error}: the schema is nested too deeply, or codegen {__version__} finds no end of "
                "its classes",
                report,
            )
        elif isinstance(error, RecursionError):
            what = "folders, symbolic links, or a value of a settings file"
            console.error(f"something is nested too deeply: {what}")
        else:
            console.error(
                f"codegen {__version__} made a mistake, not you: {type(error).__name__}: {error}",
                report,
            )
    return 2
