"""Find the places outside of all brackets where Python text can be broken.

find_marks("f(a) | b")    ->    Mark("(", 1, 4), Mark("|", 4, 6)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

PRECEDENCE: Final = {
    **dict.fromkeys(("*", "/", "//", "%", "@"), 1),
    **dict.fromkeys(("+", "-"), 2),
    **dict.fromkeys(("<<", ">>"), 3),
    "&": 4,
    "^": 5,
    "|": 6,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not"), 7),
    **dict.fromkeys(("and", "or"), 8),
    **dict.fromkeys(("if", "else"), 9),
}
_WORDS: Final = "|".join(map(re.escape, sorted(PRECEDENCE, key=len, reverse=True)))
STRING: Final = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
# Characters that can start a mark come first. Most characters cannot.
_MARK: Final = re.compile(
    rf"(?=[\"'()\[\]{{}},: =])(?:{STRING}|[(\[{{]|[)\]}}]|,|: |"
    rf" (?:{_WORDS})(?= )| [-+*/|&^%@]*= |=)"
)


class Mark(NamedTuple):
    """Something outside of all brackets: a sign, a word between operands, or brackets with their
    content.
    """

    kind: str
    start: int
    end: int


@lru_cache(maxsize=1024)
def find_marks(text: str) -> tuple[Mark, ...]:
    """Find the marks outside of all brackets, and the brackets themselves."""
    marks: list[Mark] = []
    opened: list[int] = []
    for match in _MARK.finditer(text):
        sign = match[0]
        if sign in "([{":
            opened.append(match.start())
        elif sign in ")]}":
            start = opened.pop()
            if not opened:
                marks.append(Mark(text[start], start, match.end()))
        elif not opened and sign[0] not in "\"'":
            kind = sign.strip()
            kind = "=" if kind[-1] == "=" and kind not in PRECEDENCE else kind
            marks.append(Mark(kind, match.start(), match.end()))
    return tuple(marks)


def is_breakable(mark: Mark) -> bool:
    return mark.kind in "([{" and mark.end - mark.start > 2


def can_break(text: str) -> bool:
    return any(is_breakable(m) or m.kind == "," or m.kind in PRECEDENCE for m in find_marks(text))


def find_operators(text: str) -> list[Mark]:
    """Find the operators that bind least. They are broken together."""
    marks = [mark for mark in find_marks(text) if mark.kind in PRECEDENCE]
    least = max((PRECEDENCE[mark.kind] for mark in marks), default=0)
    return [mark for mark in marks if PRECEDENCE[mark.kind] == least]


def split_items(text: str, sign: str = ",") -> list[str]:
    """Split at a sign that is outside of all brackets."""
    if sign not in text:
        return [text.strip()] if text else []
    items: list[str] = []
    start = 0
    for mark in find_marks(text):
        if mark.kind == sign:
            items.append(text[start : mark.start].strip())
            start = mark.end
    last = text[start:].strip()
    return [*items, last] if last else items


def is_trailer(text: str, start: int) -> bool:
    """Return whether brackets belong to the text before them: a call or a subscript."""
    return start > 0 and (text[start - 1].isidentifier() or text[start - 1] in ")]0123456789")


def is_plain(text: str) -> bool:
    """Return whether it is a name or a literal, with or without calls and subscripts."""
    first = text.removeprefix("not ").lstrip("*+-~")[:1]
    parts = any(mark.kind in PRECEDENCE or mark.kind == "," for mark in find_marks(text))
    return first not in "([{" and not parts


def ends_in_brackets(text: str) -> bool:
    """Return whether an operand at either end has brackets worth breaking: no subscript."""
    marks = find_marks(text)
    first, last = marks[0], marks[-1]
    ends = is_breakable(last) and last.end == len(text)
    is_subscript = last.kind == "[" and is_trailer(text, last.start)
    return (first.start == 0 and is_breakable(first)) or (ends and not is_subscript)
