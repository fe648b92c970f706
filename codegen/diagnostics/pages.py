r"""The pages that explain each code, as `codegen explain CODE` prints them.

page(Code.STAR_IMPORT)   # "# STAR_IMPORT\n\nAn import of `*` ..."
"""

from __future__ import annotations

from codegen.diagnostics.codes import Code


def page(code: Code) -> str:
    """The Markdown text of a code's page."""
    # Explaining is a verb of its own; no build pays for this import.
    from importlib.resources import files  # noqa: PLC0415

    text = files("codegen.diagnostics").joinpath("pages", f"{code.value}.md")
    return text.read_text(encoding="utf-8")
