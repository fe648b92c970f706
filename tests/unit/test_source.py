"""Positions in a text, and files that cannot be decoded."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.diagnostics import Code, Diagnostic
from codegen.schema.text import decode
from codegen.source import Source


def _source(text: str) -> Source:
    return Source("schemas/a.pyi", "a", text)


def _refused(data: bytes) -> Diagnostic:
    found = decode("schemas/a.pyi", "a", data)
    assert isinstance(found, Diagnostic)
    return found


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("a\n", 2, (2, 1)),
        ("a\nb\n", 1, (1, 2)),
        ("a\nb\n", 2, (2, 1)),
        ("é\n温x", 3, (2, 2)),
        ("a\u2028b", 2, (1, 3)),
    ],
)
def test_position(text: str, offset: int, position: tuple[int, int]) -> None:
    assert _source(text).position(offset) == position


@given(st.text(alphabet=st.sampled_from("aé温😀\n")))
def test_position_and_offset_are_inverse(text: str) -> None:
    source = _source(text)
    for at in range(len(text) + 1):
        line, column = source.position(at)
        in_bytes = len(source.line(line)[: column - 1].encode())
        assert source.offset(line, in_bytes) == at


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a = 1\r\nb = 2\r\n", "a = 1\nb = 2\n"),
        (b"\xef\xbb\xbfa = 1", "a = 1"),
        ("# é\n".encode(), "# é\n"),
        (b"# -*- coding: utf-8 -*-\n", "# -*- coding: utf-8 -*-\n"),
        (b"# vim: set fileencoding=UTF_8 :\n", "# vim: set fileencoding=UTF_8 :\n"),
        (b'"""Doc."""\n# coding: latin-1\n', '"""Doc."""\n# coding: latin-1\n'),
        (b"\n\n# coding: latin-1\n", "\n\n# coding: latin-1\n"),
    ],
)
def test_decode(data: bytes, text: str) -> None:
    assert decode("schemas/a.pyi", "a", data) == _source(text)


@pytest.mark.parametrize(
    ("data", "byte", "place"),
    [
        (b"a = 1\nb = '\xff'\n", "0xff", (2, 6)),
        (b"\xef\xbb\xbfa = 1\r\nb = '\xc3\xa9\xff'\r\n", "0xff", (2, 7)),
        (b"\xed\xa0\x80", "0xed", (1, 1)),
        (b"\xc0\x80", "0xc0", (1, 1)),
        (b"a = 1 # \xc3\nb", "0xc3", (1, 9)),
        (b"a = 1 # \xc3", "0xc3", (1, 9)),
        ("a = 1".encode("utf-16"), "0xff", (1, 1)),
    ],
)
def test_not_utf8(data: bytes, byte: str, place: tuple[int, int]) -> None:
    found = _refused(data)
    assert (found.code, found.message) == (
        Code.NOT_UTF8,
        f"the file is not valid UTF-8: byte {byte}",
    )
    assert found.source.position(found.span.start) == place
    assert found.source.text[found.span.start : found.span.end] == "\ufffd"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("# -*- coding: latin-1 -*-\n", "latin-1"),
        ("#!/usr/bin/python\n# coding=utf-7\n", "utf-7"),
        ("\n# coding: unicode_escape", "unicode_escape"),
        ("\ufeff# coding: ascii\n", "ascii"),
    ],
)
def test_foreign_cookie(text: str, encoding: str) -> None:
    found = _refused(text.encode())
    assert found.code is Code.SOURCE_ENCODING
    assert found.source.text[found.span.start : found.span.end] == encoding


def test_parsing_keeps_docstrings_with_optimisation() -> None:
    program = """
import ast
from codegen.source import parse_python
print(ast.get_docstring(parse_python("'Doc.'")))
"""
    command = [sys.executable, "-OO", "-c", program]
    assert subprocess.run(command, check=True, capture_output=True).stdout == b"Doc.\n"
