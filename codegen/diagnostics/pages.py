r"""The pages that explain each code, as `codegen explain CODE` prints them.

page(Code.STAR_IMPORT)   # "# STAR_IMPORT\n\nAn import of `*` ..."
"""

from __future__ import annotations

from importlib.resources import files

from codegen.diagnostics.codes import Code


def page(code: Code) -> str:
    """The Markdown text of a code's page."""
    text = files("codegen.diagnostics").joinpath("pages", f"{code.value}.md")
    return text.read_text(encoding="utf-8")
