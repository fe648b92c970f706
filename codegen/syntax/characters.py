"""Characters that may stand nowhere in a schema, because nobody would see them.

    nx = Dim()  # cells<U+202E> along x     CONTROL_CHARACTER at the U+202E

A reader must be able to trust what is on the screen: a bidirectional control reorders a line, a
zero-width character makes two names of what looks like one, a form feed or a carriage return hides
where a line begins (CVE-2021-42574; PEP 672).
"""

from __future__ import annotations

import re
from unicodedata import name

from codegen.diagnostics import Code, Diagnostic, Report
from codegen.source import Source, Span

# The ranges are written out rather than asked of `unicodedata`, whose answers differ between
# versions of Python. Kinds: controls but tab and line feed; format characters, bidirectional and
# zero-width ones among them; surrogates; line and paragraph separators; letters that are blank.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)

# Control characters have no name in Unicode.
_NAMES = {
    "\x00": "NULL",
    "\x07": "BELL",
    "\x08": "BACKSPACE",
    "\x0b": "LINE TABULATION",
    "\x0c": "FORM FEED",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}


def check_characters(source: Source) -> Report:
    """Every character of a source that cannot be seen."""
    return Report(_refused(source, match) for match in _INVISIBLE.finditer(source.text))


def _refused(source: Source, match: re.Match[str]) -> Diagnostic:
    if match[0] == "\r":
        return Diagnostic(
            Code.CARRIAGE_RETURN,
            source,
            Span(*match.span()),
            "a carriage return stands alone",
            label=r"no `\n` follows",
            help=r"end every line with `\n` or `\r\n`",
        )
    return Diagnostic(
        Code.CONTROL_CHARACTER,
        source,
        Span(*match.span()),
        f"{_describe(match[0])} cannot be seen",
        help="delete it; in a string, write " + _escape(match[0]),
    )


def _describe(character: str) -> str:
    """Example: "U+202E RIGHT-TO-LEFT OVERRIDE"."""
    words = _NAMES.get(character) or name(character, "")
    return f"U+{ord(character):04X} {words}".rstrip()


def _escape(character: str) -> str:
    r"""Example: "`\u202e`"."""
    return "`" + character.encode("unicode_escape").decode("ascii") + "`"
