r"""The pages that `codegen explain NAME` prints: one for each code and each run-time error.

page(Code.ALIAS_CYCLE)      # "# ALIAS_CYCLE\n\nAn alias ..."
page("ConsumedError")       # "# ConsumedError\n\nA function consumed this array ..."
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from codegen.diagnostics.codes import Code

# The errors and warnings that generated code and the import hook raise, with a summary of each.
RUN_TIME: Final = {
    "CheckpointError": "a checkpoint does not match the type that it is loaded as",
    "ConsumedError": "a field was used after a call that consumed it",
    "DonationWarning": "a donated buffer is not reused",
    "DraftError": "a draft was used in another trace than its own",
    "RetraceError": "a function was traced more often than allowed",
    "RetraceWarning": "a function was traced more often than its budget",
    "SchemaError": "a schema could not be built while a module was imported",
}


def page(name: Code | str) -> str:
    """Return the Markdown page of a code, or of a run-time error."""
    folder = "pages" if isinstance(name, Code) else "run_time"
    text = files("codegen.diagnostics").joinpath(folder, f"{name}.md")
    return text.read_text(encoding="utf-8")
