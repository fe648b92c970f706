r"""The two streams: what was asked for on standard output, everything else on standard error.

    console = Console("full", is_quiet=False, is_verbose=False)
    console.report(report)                          # diagnostics: standard error
    console.status("built 3 modules: ...")          # standard error, unless quiet
    console.text("--- generated/heat.py\n...")      # standard output
    console.finish()

With the formats json and sarif, standard output holds one document and nothing else, whatever
happens. Of json it is

    {"diagnostics": [...], "text": "...", "error": "..."}

where `text` is what would have been printed there, and `error` why the command could not run; each
of the two is there only if there is something to say. The format github prints what GitHub Actions
reads, on standard error as the texts are.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from codegen.diagnostics import Report, github, json, printable, sarif, text

FORMATS = ("full", "concise", "json", "sarif", "github")
DOCUMENTS = ("json", "sarif")


class Console:
    """Prints in one format, and keeps back what belongs into the one document of some."""

    def __init__(self, output_format: str, *, is_quiet: bool, is_verbose: bool) -> None:
        self.output_format = output_format
        self.is_quiet = is_quiet
        self.is_verbose = is_verbose
        self._reports: list[Report] = []
        self._texts: list[str] = []
        self._errors: list[str] = []

    def status(self, line: str) -> None:
        """What was done, in one line."""
        if not self.is_quiet:
            _say(line)

    def detail(self, line: str) -> None:
        """What only `-v` says."""
        if self.is_verbose:
            _say(line)

    def finding(self, line: str) -> None:
        """What has to be mended, where a line says it all."""
        _say(line)

    def text(self, text: str) -> None:
        """What was asked for."""
        if self.is_document:
            self._texts.append(text)
        else:
            sys.stdout.write(printable.lines(text))

    def error(self, line: str, *further: str) -> None:
        """Why the command could not run."""
        short = [printable.brief(one) for one in (line, *further)]
        words = "\n".join(short)
        self._errors.append(words)
        if self.output_format == "github":
            _write(github.problem(words))
        else:
            for one in (f"error: {short[0]}", *short[1:]):
                _say(one)

    def refused(self, reason: str) -> None:
        """Why the command could not run, where diagnostics have said more of it."""
        self._errors.append(printable.brief(reason))

    def report(self, report: Report) -> None:
        """Diagnostics."""
        self._reports.append(report)
        if not self.is_document and report:
            _write(self._shown(report))

    def _shown(self, report: Report) -> str:
        if self.output_format == "github":
            return github.commands(report)
        colour = text.is_coloured(os.environ, is_terminal=sys.stderr.isatty())
        if self.output_format == "concise":
            shown = text.concise(report, colour=colour)
        else:
            # A stream that is none of a terminal or file may have no encoding.
            shown = text.full(report, colour=colour, encoding=sys.stderr.encoding or "utf-8")
        return shown if colour else printable.lines(shown)

    @staticmethod
    def reason(error: Exception) -> str:
        """Why something failed: of what the system said, "a.py: No space left on device"."""
        if not isinstance(error, OSError) or not error.strerror:
            return str(error)
        path = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return path + error.strerror

    @property
    def is_document(self) -> bool:
        """Whether everything is said in one document at the end."""
        return self.output_format in DOCUMENTS

    def progress(self) -> AbstractContextManager[None]:
        """Show how far a job is, if it lasts and somebody is there to see it."""
        if self.is_quiet or not sys.stderr.isatty():
            return nullcontext()
        # Most output is read by no terminal, or done before there is anything to show.
        from codegen.cli.progress_bar import shown  # noqa: PLC0415

        return shown(sys.stderr)

    def finish(self) -> None:
        """Print the one document, if the format is one."""
        if not self.is_document:
            return
        document = json.document if self.output_format == "json" else sarif.document
        report = Report().merge(*self._reports)
        whole = document(report, "".join(self._texts), "\n".join(self._errors))
        # ASCII, and each of its lines a part of the document; see codegen.diagnostics.printable.
        sys.stdout.write(re.sub(r"##(?=\w*\[)", r"\\u0023#", whole))


def _say(line: str) -> None:
    """One line, whatever is in it."""
    _write(f"{printable.lines(printable.escape(line))}\n")


def _write(text: str) -> None:
    """Say it to the user, if that can be done."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except BrokenPipeError:
        raise
    except OSError:  # a full disk: there is nowhere to say so
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Lose what is written to a stream: Python would complain once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
