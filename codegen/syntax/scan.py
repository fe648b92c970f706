r"""Where a text's comments and strings lie, and the text without them.

    scan('nx = Dim(mesh="rows")  # cells\n')
    Scan(comments=(Span(23, 30),), f_strings=(), code='nx = Dim(mesh=      )         \n')

It answers alike on every version of Python, for text that is Python and for text that is not, in
one pass of a regular expression; `tokenize` does neither.
"""

from __future__ import annotations

import re

from msgspec import Struct

from codegen.source import Span

# A string that is never closed ends with its line, or with the text; so each alternative always
# matches once it has begun, and the time stays in proportion to the text's length.
_COMMENT_OR_STRING = re.compile(
    r"""
    \#[^\n]*
    | (?P<prefix>\b[A-Za-z]{1,2})?
      (?:
          \"\"\" (?: [^"\\] | \\.? | "(?!"") )*+ (?:\"\"\")?
        | '''    (?: [^'\\] | \\.? | '(?!'') )*+ (?:''')?
        | "      (?: [^"\\\n] | \\.? )*+ "?
        | '      (?: [^'\\\n] | \\.? )*+ '?
      )
    """,
    re.VERBOSE | re.DOTALL,
)
_VISIBLE = re.compile(r"[^\n]")


class Scan(Struct, frozen=True):
    """What a text looks like to somebody who knows comments and strings, and nothing else."""

    comments: tuple[Span, ...]  # from the `#` to the end of the line
    f_strings: tuple[Span, ...]
    code: str  # the text with blanks in place of comments and strings; offsets stay as they are


def scan(text: str) -> Scan:
    """Find the comments and the strings of a text."""
    comments: list[Span] = []
    f_strings: list[Span] = []
    pieces: list[str] = []
    end = 0
    for match in _COMMENT_OR_STRING.finditer(text):
        start = match.start()
        pieces.append(text[end:start])
        end = match.end()
        pieces.append(_VISIBLE.sub(" ", match[0]) if "\n" in match[0] else " " * (end - start))
        if text[start] == "#":
            comments.append(Span(start, end))
        elif _is_interpolated(match["prefix"]):
            f_strings.append(Span(start, end))
    pieces.append(text[end:])
    return Scan(tuple(comments), tuple(f_strings), "".join(pieces))


def _is_interpolated(prefix: str | None) -> bool:
    """Whether a prefix makes an f-string, or a t-string of Python 3.14."""
    return prefix is not None and prefix.lower() in {"f", "rf", "fr", "t", "rt", "tr"}
