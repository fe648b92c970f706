r"""Make text of any origin safe for a terminal and for the log of a CI.

escape("a\x1b[31m")     # "a\\x1b[31m": a schema cannot colour, move or erase shown text
lines("a\n::error::b")  # "a\n\\x3a:error::b": nor issue commands to the CI that reads the log
width("温")              # 2 columns
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category, east_asian_width

_TAB = "    "
# Names and values in an input may be a megabyte long.
_WORD_CHARACTERS_MAX: Final = 200
_TEXT_CHARACTERS_MAX: Final = 2000
# The characters kept at the start and end of a longer word. The end covers text after a name.
_START, _END = 160, 20


def brief(text: str) -> str:
    """Shorten a message: keep both ends of each long word, and the start of a long text."""
    if len(text) <= _WORD_CHARACTERS_MAX:
        return text
    words = re.sub(
        rf"\S{{{_WORD_CHARACTERS_MAX + 1},}}",
        lambda match: f"{match[0][:_START]}...{match[0][-_END:]}",
        text,
    )
    if len(words) <= _TEXT_CHARACTERS_MAX:
        return words
    return f"{words[:_TEXT_CHARACTERS_MAX]}... ({len(text)} characters)"


def escape(text: str) -> str:
    """Return the text with an escape sequence for each unprintable character."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape_character, text))


def lines(text: str) -> str:
    """Escape a text of several lines, so that no line is a command for a CI.

    GitHub reads `::error::` at the start of a line, also after blanks, and `##[error]` anywhere.
    Azure and TeamCity read `##vso[` and `##teamcity[`.
    """
    shown = "\n".join(map(escape, text.split("\n")))
    shown = re.sub(r"##(?=\w*\[)", r"\\x23#", shown)
    return re.sub(r"(?m)^( *)::(?=[^\s:])", r"\1\\x3a:", shown)


def columns(text: str, encoding: str = "utf-8") -> tuple[str, tuple[int, ...]]:
    """Return a line as shown, and the column of each of its characters and of its end.

    Characters that the encoding lacks are escaped here. A stream would escape them only after the
    columns are counted.
    """
    shown = [
        _TAB if character == "\t" else _show_character(character, encoding) for character in text
    ]
    at = 0
    places: list[int] = []
    for part in shown:
        places.append(at)
        at += width(part)
    return "".join(shown), (*places, at)


def width(text: str) -> int:
    """Return the number of columns that a printable text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if category(character) in {"Mn", "Me"}
        else 2
        if east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _show_character(character: str, encoding: str) -> str:
    return _escape_character(character).encode(encoding, "backslashreplace").decode(encoding)


def _escape_character(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")
