r"""Texts of schemas as pieces of a page.

paragraphs("One.\n\nTwo `n`.")    ->    ((Piece("span", "One."),), (..., Piece("code", "n"), ...))
"""

from __future__ import annotations

import re

from codegen.diagnostics.printable import escape
from codegen.site.nodes import Piece, Text

_CODE = re.compile(r"`([^`\n]+)`")


def span(text: str) -> Piece:
    """Plain text; what cannot be seen is shown as an escape sequence."""
    return Piece("span", escape(text))


def code(text: str) -> Piece:
    """A word of a program."""
    return Piece("code", escape(text))


def words(text: str) -> Text:
    """One line of documentation, what stands between backquotes as code."""
    found: list[Piece] = []
    at = 0
    line = " ".join(text.split())
    for match in _CODE.finditer(line):
        if match.start() > at:
            found.append(span(line[at : match.start()]))
        found.append(code(match[1]))
        at = match.end()
    return (*found, span(line[at:])) if at < len(line) else tuple(found)


def paragraphs(text: str) -> tuple[Text, ...]:
    """Documentation, split at blank lines."""
    parts = re.split(r"\n[ \t]*\n", text)
    return tuple(words(part) for part in parts if part.strip())


def summary(text: str) -> Text:
    """The first paragraph."""
    return next(iter(paragraphs(text)), ())
