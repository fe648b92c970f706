r"""The two streams: requested text on standard output, everything else on standard error.

    console = Console("full", is_quiet=False, is_verbose=False)
    console.report(report)                          # diagnostics: standard error
    console.status("built 3 modules: ...")          # standard error, unless quiet
    console.text("--- generated/heat.py\n...")      # standard output
    console.finish()

With the format json, standard output always contains exactly one document:

    {"diagnostics": [...], "text": "...", "error": "..."}

where `text` is the text that other formats print there, and `error` is the reason why the command
could not run. Each of the two is left out if it is empty. The format github prints commands for
GitHub Actions, on standard error like the other text formats.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from codegen.cli.failure import Failure
from codegen.diagnostics import Report, github, json, printable, text

FORMATS = ("full", "concise", "json", "github")


class Console:
    """Print in one format; collect the output if the format is one document at the end."""

    def __init__(self, output_format: str, *, is_quiet: bool, is_verbose: bool) -> None:
        self.output_format = output_format
        self.is_quiet = is_quiet
        self.is_verbose = is_verbose
        self._reports: list[Report] = []
        self._texts: list[str] = []
        self._errors: list[str] = []

    def status(self, line: str) -> None:
        """Print what was done, in one line."""
        if not self.is_quiet:
            _say(line)

    def detail(self, line: str) -> None:
        """Print a line only with `-v`."""
        if self.is_verbose:
            _say(line)

    def finding(self, line: str) -> None:
        """Print a problem that the user must fix, in one line."""
        _say(line)

    def text(self, text: str) -> None:
        """Print the text that the user asked for."""
        if self.is_document:
            self._texts.append(text)
        else:
            write_output(printable.lines(text))

    def error(self, line: str, *further: str) -> None:
        """Print why the command could not run."""
        short = [printable.brief(one) for one in (line, *further)]
        words = "\n".join(short)
        self._errors.append(words)
        if self.output_format == "github":
            write_message(github.problem(words))
        else:
            for one in (f"error: {short[0]}", *short[1:]):
                _say(one)

    def refused(self, reason: str) -> None:
        """Record why the command could not run, if diagnostics have already shown the details."""
        self._errors.append(printable.brief(reason))

    def report(self, report: Report) -> None:
        """Print diagnostics."""
        self._reports.append(report)
        if not self.is_document and report:
            write_message(self._format_report(report))

    def _format_report(self, report: Report) -> str:
        if self.output_format == "github":
            return github.commands(report)
        colour = text.is_coloured(os.environ, is_terminal=sys.stderr.isatty())
        if self.output_format == "concise":
            shown = text.concise(report, colour=colour)
        else:
            # A stream that is neither a terminal nor a file may have no encoding.
            shown = text.full(report, colour=colour, encoding=sys.stderr.encoding or "utf-8")
        return shown if colour else printable.lines(shown)

    @staticmethod
    def reason(error: Exception) -> str:
        """Return why something failed. Example: "a.py: No space left on device"."""
        if not isinstance(error, OSError) or not error.strerror:
            return str(error)
        path = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return path + error.strerror

    @property
    def is_document(self) -> bool:
        """Whether all output is one document at the end."""
        return self.output_format == "json"

    def progress(self) -> AbstractContextManager[None]:
        """Show the progress of a long job, if standard error is a terminal."""
        if self.is_quiet or not sys.stderr.isatty():
            return nullcontext()
        # Rarely needed: most output goes to no terminal, or the job ends before a bar appears.
        from codegen.cli.progress_bar import shown  # noqa: PLC0415

        return shown(sys.stderr)

    def finish(self) -> None:
        """Print the one document, if the format is one."""
        if not self.is_document:
            return
        report = Report().merge(*self._reports)
        whole = json.document(report, "".join(self._texts), "\n".join(self._errors))
        # It is ASCII. A CI reads `##[` as a command, so escape it: see diagnostics/printable.py.
        write_output(re.sub(r"##(?=\w*\[)", r"\\u0023#", whole))


def _say(line: str) -> None:
    """Write one line; escape control characters and CI commands in it."""
    write_message(f"{printable.lines(printable.escape(line))}\n")


def write_output(text: str) -> None:
    """Write to standard output, and flush it: Python would report a later error as a traceback.

    Raises:
        Failure: if that is not possible, for example because the disk is full.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence(sys.stdout)
        raise Failure(f"standard output: {Console.reason(error)}") from error


def write_message(text: str) -> None:
    """Write to standard error, if that is possible."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except BrokenPipeError:
        raise
    except OSError:  # a full disk: the error cannot be reported anywhere
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Discard all further output of a stream. Otherwise Python reports the error again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
