r"""Bytes to a Source: strict UTF-8, lines that end at `\n`.

decode("schemas/heat.pyi", "heat", b"nx = Dim()\r\n")   # Source(..., text="nx = Dim()\n")
decode("schemas/heat.pyi", "heat", b"\xff")              # Diagnostic(Code.NOT_UTF8, ...)
"""

from __future__ import annotations

import re

from codegen.diagnostics import Code, Diagnostic
from codegen.limits import SCHEMA_BYTES_MAX
from codegen.source import Source, Span
from codegen.syntax.limits import too_many_bytes

_BLANK = re.compile(r"[ \t\f]*(?:#[^\n]*)?")
_COOKIE = re.compile(r"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")


def decode(path: str, module: str, data: bytes) -> Source | Diagnostic:
    """The text of a file, or the one reason why it has none."""
    whole = Source(path, module, "")
    if len(data) > SCHEMA_BYTES_MAX:
        return too_many_bytes(whole)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(whole, data, error.start)
    # A byte order mark is how some editors say UTF-8; anywhere else it is an invisible character.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    source = Source(path, module, text)
    return _foreign_cookie(source) or source


def _not_utf8(whole: Source, data: bytes, at: int) -> Diagnostic:
    # What cannot be read is shown as U+FFFD, so that the frame points at the byte.
    before = data[:at].decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    after = data[at:].decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    source = Source(whole.path, whole.module, before + after)
    return Diagnostic(
        Code.NOT_UTF8,
        source,
        Span(len(before), len(before) + 1),
        f"the file is not UTF-8: byte 0x{data[at]:02x}",
        label="no character of UTF-8",
        help="save it as UTF-8",
    )


def _foreign_cookie(source: Source) -> Diagnostic | None:
    """The encoding that PEP 263 lets the first two lines declare, unless it is UTF-8."""
    first, newline, _ = source.text.partition("\n")
    match = _COOKIE.match(source.text)
    if match is None and newline and _BLANK.fullmatch(first):
        match = _COOKIE.match(source.text, len(first) + 1)
    if match is None or _is_utf8(match[1]):
        return None
    return Diagnostic(
        Code.SOURCE_ENCODING,
        source,
        Span(*match.span(1)),
        f"the encoding `{match[1]}` is declared, but a schema is UTF-8",
        label="not UTF-8",
        help="delete this comment, or write `# -*- coding: utf-8 -*-`, and save the file as UTF-8",
    )


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") in {"utf-8", "utf8", "utf-8-sig"}
