r"""Decode the bytes of a schema file, and check for characters and sizes that no text may have.

decode("schemas/heat.pyi", "heat", b"nx = Dim()\r\n")   # Source(..., text="nx = Dim()\n")
decode("schemas/heat.pyi", "heat", b"\xff")              # Diagnostic(Code.NOT_UTF8, ...)
check_characters(source)                                # CONTROL_CHARACTER at each U+202E

The limits are the same on every Python. Python's own limits differ between versions and settings.
Beyond them, Python raises a RecursionError or a MemoryError, or does not answer for minutes. Our
limits are lower.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import name

from codegen.diagnostics import Code, Diagnostic, Report
from codegen.options import SCHEMA_BYTES_MAX
from codegen.source import Source, Span, whole_file

NODES_MAX: Final = 200_000
DEPTH_MAX: Final = 100
DIGITS_MAX: Final = 4300

NAME_A_PART: Final = "move a part of it into an alias above: `Part = ...`"
_DIVIDE: Final = "split the file into several modules that import from each other"


_BLANK = re.compile(r"[ \t\f]*(?:#[^\n]*)?")
_COOKIE = re.compile(r"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")


# Readers cannot see these. A bidirectional control reorders a line, a zero-width character makes
# two names of what looks like one, a form feed hides where a line begins (CVE-2021-42574; PEP 672).
# The ranges are listed here because `unicodedata` differs between versions of Python. They are:
# controls except tab and line feed; format characters, including bidirectional and zero-width ones;
# surrogates; line and paragraph separators; letters that are blank.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def decode(path: str, module: str, data: bytes) -> Source | Diagnostic:
    """Return the text of a file, or the one mistake that prevents reading it."""
    if len(data) > SCHEMA_BYTES_MAX:
        return too_many_bytes(whole_file(path, module))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(path, module, data, error.start)
    # Some editors mark UTF-8 with a byte order mark. Anywhere else it is an invisible character.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    source = Source(path, module, text)
    return _check_encoding(source) or source


def _not_utf8(path: str, module: str, data: bytes, at: int) -> Diagnostic:
    # Bytes that cannot be decoded are shown as U+FFFD, so that the frame points at the byte.
    before = data[:at].decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    after = data[at:].decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    source = Source(path, module, before + after)
    return Diagnostic(
        Code.NOT_UTF8,
        source.at(len(before), len(before) + 1),
        f"the file is not valid UTF-8: byte 0x{data[at]:02x}",
        label="invalid byte",
        help="save the file as UTF-8",
    )


def _check_encoding(source: Source) -> Diagnostic | None:
    """Return the encoding that the first two lines declare (PEP 263), unless it is UTF-8."""
    first, newline, _ = source.text.partition("\n")
    match = _COOKIE.match(source.text)
    if match is None and newline and _BLANK.fullmatch(first):
        match = _COOKIE.match(source.text, len(first) + 1)
    if match is None or _is_utf8(match[1]):
        return None
    return Diagnostic(
        Code.SOURCE_ENCODING,
        source.at(*match.span(1)),
        f"the file declares the encoding `{match[1]}`, but a schema must be UTF-8",
        label="not UTF-8",
        help="delete this comment, or write `# -*- coding: utf-8 -*-`, and save the file as UTF-8",
    )


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") in {"utf-8", "utf8", "utf-8-sig"}


def check_characters(source: Source) -> Report:
    """Report every invisible character of a source."""
    return Report(_invisible(source, match) for match in _INVISIBLE.finditer(source.text))


def _invisible(source: Source, match: re.Match[str]) -> Diagnostic:
    span = source.at(*match.span())
    if match[0] == "\r":
        return Diagnostic(
            Code.CARRIAGE_RETURN,
            span,
            "the file contains a carriage return without a line feed",
            label=r"no `\n` follows",
            help=r"end every line with `\n` or `\r\n`",
        )
    # Control characters have no name in Unicode.
    described = f"U+{ord(match[0]):04X} {name(match[0], '')}".rstrip()
    escape = match[0].encode("unicode_escape").decode("ascii")
    return Diagnostic(
        Code.CONTROL_CHARACTER,
        span,
        f"the file contains the invisible character {described}",
        help=f"delete the character. In a string, write the escape `{escape}`",
    )


def too_many_bytes(whole: Span) -> Diagnostic:
    """Report a file that is too large to read."""
    message = f"the file has more than {SCHEMA_BYTES_MAX:,} bytes, which is the limit for a schema"
    return Diagnostic(Code.SOURCE_TOO_LARGE, whole, message, help=_DIVIDE)


def too_many_nodes(span: Span) -> Diagnostic:
    """Report the first node above the limit."""
    message = f"the file contains more than {NODES_MAX:,} names, values and operators"
    label = "the limit is reached here"
    return Diagnostic(Code.SOURCE_TOO_LARGE, span, message, label, _DIVIDE)


def nested_too_deeply(span: Span) -> Diagnostic:
    """Report brackets, operators or classes that are nested too deeply."""
    message = f"this is nested more than {DEPTH_MAX} levels deep"
    return Diagnostic(Code.NESTED_TOO_DEEPLY, span, message, help=NAME_A_PART)


def number_too_large(span: Span) -> Diagnostic:
    """Report an integer that Python does not print, or a float that overflows."""
    message = "this number is too large"
    label = f"an integer can have at most {DIGITS_MAX} digits, and a float must be below 1.8e308"
    return Diagnostic(Code.NUMBER_TOO_LARGE, span, message, label, "write a smaller number")
