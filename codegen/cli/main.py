"""The command `codegen`: read the arguments, run a verb, return an exit status.

    $ codegen -q build schemas --out generated
    $ echo $?
    0       fine
    1       there is something to fix: a diagnostic, a stale file
    2       the command could not run: usage, an unreadable folder, a bug in codegen
    130     interrupted from the keyboard

Most builds find nothing to do. So only the requested verb is imported, and the compiler only if
there is something to compile: importing it would double the time.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from typing import TextIO

from codegen.cli.arguments import read
from codegen.cli.console import FORMATS, Console, silence
from codegen.cli.failure import BadSettings, Failure, Mistakes
from codegen.installation import __version__, damage
from codegen.options import TooDeepError


def run() -> None:
    """Run the command with the arguments of this process, and exit."""
    sys.exit(main(sys.argv[1:]))


def main(words: Sequence[str]) -> int:
    """Run one command, and return the exit status."""
    # Python sets a closed stream to None. Only a command that prints on standard output must fail:
    # it writes to a file that is open for reading.
    sys.stdout = sys.stdout or _nowhere(os.O_RDONLY)
    sys.stderr = sys.stderr or _nowhere(os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        # No command must fail because of a character that the terminal's encoding lacks.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    console = Console(FORMATS[0], is_quiet=False, is_verbose=False)
    try:
        arguments = read(words)
        console = Console(
            arguments.output_format, is_quiet=arguments.quiet, is_verbose=arguments.verbose
        )
        status = _guarded(arguments, console)
        console.finish()
    except BrokenPipeError:  # the reader, such as `head`, closed the pipe
        silence(sys.stdout)
        silence(sys.stderr)
        return 141  # the status that a shell shows for a program killed by SIGPIPE
    except Failure as failure:  # help, a version or a document that cannot be written
        console.error(str(failure))
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def _nowhere(mode: int) -> TextIO:
    return open(os.open(os.devnull, mode), "w", encoding="utf-8")


def _guarded(arguments: Namespace, console: Console) -> int:
    """Run the verb; if it cannot run, print the reason in a line or two."""
    try:
        return int(arguments.run(arguments, console))
    except Failure as failure:
        console.error(str(failure))
    except BadSettings as settings:
        console.report(settings.report)
        console.refused("the settings of codegen have errors")
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
        console.error("out of memory")
    except Exception as error:  # noqa: BLE001 -- the last resort: users see a message
        for line in "".join(traceback.format_exception(error)).splitlines():
            console.detail(line)
        if damage():
            console.error(*damage())
            return 2
        report = "Please report it, with the schema and the output of the command with `-v`."
        if isinstance(error, TooDeepError):
            console.error(
                f"{error}: the schema is nested too deeply, or codegen {__version__} expands its "
                "classes without end",
                report,
            )
        elif isinstance(error, RecursionError):
            what = "folders, symbolic links, or a value in a settings file"
            console.error(f"too deeply nested: {what}")
        else:
            console.error(
                f"this is a bug in codegen {__version__}: {type(error).__name__}: {error}",
                report,
            )
    return 2
