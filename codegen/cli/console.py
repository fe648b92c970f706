r"""The two streams: what was asked for on standard output, everything else on standard error.

    console = Console("full", is_quiet=False, is_verbose=False)
    console.report(report)                          # diagnostics: standard error
    console.status("built 3 modules: ...")          # standard error, unless quiet
    console.text("--- generated/heat.py\n...")      # standard output
    console.finish()

With the format json, standard output holds one document and nothing else, whatever happens:

    {"diagnostics": [...], "text": "...", "error": "..."}

`text` is what would have been printed there, `error` why the command could not run; each of the
two is there only if there is something to say.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # a build that finds nothing to do has no use for diagnostics
    from codegen.diagnostics import Report

FORMATS = ("full", "concise", "json")


class Console:
    """Prints in one format, and keeps back what belongs into the one document of json."""

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
        from codegen.diagnostics.printable import escape

        _say(escape(line))

    def text(self, text: str) -> None:
        """What was asked for."""
        if self.output_format == "json":
            self._texts.append(text)
        else:
            sys.stdout.write(text)

    def error(self, line: str) -> None:
        """Why the command could not run."""
        self._errors.append(line)
        _say(f"error: {line}")

    def report(self, report: Report) -> None:
        """Diagnostics."""
        from codegen.diagnostics import text

        self._reports.append(report)
        if self.output_format == "json":
            return
        render = text.full if self.output_format == "full" else text.concise
        colour = text.is_coloured(os.environ, is_terminal=sys.stderr.isatty())
        sys.stderr.write(render(report, colour=colour))

    def finish(self) -> None:
        """Print the one document, if the format is one."""
        if self.output_format != "json":
            return
        import json

        from codegen.diagnostics import Report
        from codegen.diagnostics.json import document

        parts = json.loads(document(Report().merge(*self._reports)))
        if self._texts:
            parts["text"] = "".join(self._texts)
        if self._errors:
            parts["error"] = "\n".join(self._errors)
        sys.stdout.write(json.dumps(parts, indent=2) + "\n")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
