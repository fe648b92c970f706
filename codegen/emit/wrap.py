"""Break lines longer than 88 columns as `ruff format` does, so that a template holds one statement
a line.

    x = function(first_argument, second_argument)    ->    x = function(
                                                               first_argument, second_argument
                                                           )

The input and output are text. Only the statements and expressions of templates are broken: no lambda,
no comprehension. Lines that fit, docstrings and comments are unchanged. A comma and a
blank that a loop left before a bracket are removed. A statement that is already split over several
lines, one item with its comma a line, stays split. As in ruff, brackets are broken if they do not
fit together with the text after them, up to the next place for a break. `after` is the width of
that text, `column` the start of a text, and `indent` the start of its continuation lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from codegen.emit.marks import (
    PRECEDENCE,
    STRING,
    can_break,
    ends_in_brackets,
    find_marks,
    find_operators,
    is_breakable,
    is_plain,
    is_trailer,
    split_items,
)

WIDTH: Final = 88

_COMMENT: Final = re.compile(rf"((?:{STRING}|[^\"'#])*?) *(#.*)?")
# Pragmas at the end of a line may go past the last column.
_PRAGMA: Final = re.compile(r" *# *(?:noqa|nosec|(?:type|pyright|pylint|flake8|ruff|isort|ty):)")
_HEAD: Final = re.compile(r"(?:return|raise|if) ")
_UNARY: Final = re.compile(r"not |[-+~]")
_LEFT_COMMA: Final = re.compile(rf"(?=[\"',])(?:({STRING})|, (?=[)\]}}]))")


def wrap(text: str) -> str:
    """Break the lines that are too long."""
    lines = text.split("\n")
    is_docstring = False
    for i, original in enumerate(lines):
        line = original
        if '"""' in line and (is_docstring or line.lstrip().startswith('"""')):
            is_docstring ^= line.count('"""') == 1
        elif not is_docstring:
            if ", )" in line or ", ]" in line or ", }" in line:
                line = lines[i] = _LEFT_COMMA.sub(r"\1", line)
            if len(line) > WIDTH:
                lines[i] = _line(line)
    return "\n".join(lines)


# --- statements


def _line(line: str) -> str:
    """Break a line that is too long: a statement, or one item of a statement over several lines."""
    text, comment = line.lstrip(), ""
    indent = len(line) - len(text)
    if "#" in text:
        match = _COMMENT.fullmatch(text)
        if match is None or not match[1]:
            return line
        text, comment = match[1], f"  {match[2]}" if match[2] else ""
    after = 0 if _PRAGMA.match(comment) else len(comment)
    if indent + len(text) + after <= WIDTH or text[-1] in "([{" or text[0] in ")]}":
        return line
    margin = " " * indent
    if text[-1] == ",":
        return f"{margin}{_nested(text[:-1], indent, indent, 1)},{comment}"
    broken = margin + _statement(text, indent, after)
    if not text.startswith("def "):
        head, below, name = broken.partition(f": (\n{margin}    ")
        if below and comment and name.removesuffix(f"\n{margin})").isidentifier():
            # ruff moves the comment of an annotation that is a name into the parentheses.
            return f"{head}{below}{name.replace(chr(10), comment + chr(10))}"
        return broken + comment
    # The pragma of a function belongs on its first line.
    first, line_feed, rest = broken.partition("\n")
    return first + comment + line_feed + rest


def _statement(text: str, indent: int, after: int) -> str:
    if text.endswith(": ..."):
        return _statement(text[:-4], indent, after + 4) + " ..."
    if text.startswith("def "):
        return _signature(text, indent, after)
    if text.startswith("from "):
        module, _, names = text.partition(" import ")
        return f"{module} import ({_one_a_line(names.split(', '), indent, comma=True)})"
    if head := _HEAD.match(text):
        end = len(text) - (text[-1] == ":")
        value = text[head.end() : end]
        column = indent + head.end()
        items = split_items(value)
        is_pair = head[0] == "return " and len(items) == 2
        write = _brackets if is_pair and _has_room(value, indent, column, after) else _value
        return head[0] + write(value, indent, column, after + len(text) - end) + text[end:]
    signs = [mark for mark in find_marks(text) if mark.kind in ("=", ":")]
    if not signs or text.startswith(("class ", "@")):
        return _brackets(text, indent, indent, after)
    start = signs[0].end if signs[0].kind == ":" else 0
    equals = next((mark for mark in signs if mark.kind == "="), None)
    if equals is None:
        return text[:start] + _value(text[start:], indent, indent + start, after)
    left, sign = text[start : equals.start], text[equals.start : equals.end]
    right = text[equals.end :]
    return text[:start] + _assignment(left, sign, right, indent, indent + start, after)


def _assignment(left: str, sign: str, value: str, indent: int, column: int, after: int) -> str:
    """Break `left = value`, where left is a target or its annotation."""
    right = column + len(left + sign)
    if not can_break(left):
        return left + sign + _value(value, indent, right, after)
    is_simple = is_plain(value) and not _UNARY.match(value)
    start = _start(value, after)
    if is_simple and can_break(value) and right + start <= WIDTH:
        return left + sign + _brackets(value, indent, right, after)
    if is_simple and right < WIDTH:
        return left + sign + _below(value, indent)
    if not is_simple and find_operators(value):
        start = 1
    write = _brackets if is_plain(left) else _value
    broken = write(left, indent, column, len(sign) + start)
    column = _column(broken, column) + len(sign)
    write = _brackets if is_simple else _value
    return broken + sign + write(value, indent, column, after)


def _signature(text: str, indent: int, after: int) -> str:
    """Break a function's head: first its parameters, then the result only if needed."""
    brackets = find_marks(text)[0]
    head, parameters = text[: brackets.start], text[brackets.start : brackets.end]
    arrow = " -> " if text.startswith(" -> ", brackets.end) else ""
    result = text[brackets.end + len(arrow) : -1]
    if parameters == "()":
        column = indent + brackets.end + len(arrow)
        if is_plain(result) and not _has_room(result, indent, column, after + 1):
            return f"{head}(){arrow}{_below(result, indent)}:"
        return f"{head}(){arrow}{_value(result, indent, column, after + 1)}:"
    items = split_items(parameters[1:-1])
    if len(items) == 1:
        broken = f"({_one_a_line(items, indent, comma=True)})"
    else:
        broken = _broken(parameters, indent, is_group=True)
    write = _brackets if is_plain(result) and can_break(result) else _value
    return head + broken + arrow + write(result, indent, indent + 1 + len(arrow), after + 1) + ":"


def _value(text: str, indent: int, column: int, after: int) -> str:
    """Break an expression on its own. It gets parentheses if breaking its brackets is
    not enough.
    """
    if column + len(text) + after <= WIDTH:
        return text
    if any(mark.kind == "," for mark in find_marks(text)):
        return f"({_one_a_line(split_items(text), indent, comma=True)})"
    if operators := find_operators(text):
        if (
            len(operators) == 1
            and ends_in_brackets(text)
            and _has_room(text, indent, column, after)
        ):
            return _brackets(text, indent, column, after)
        return _below(text, indent)
    if not is_plain(text) or (can_break(text) and column + _start(text, after) <= WIDTH):
        return _brackets(text, indent, column, after)
    below = _below(text, indent)
    is_better = column < WIDTH and all(len(line) <= WIDTH for line in below.split("\n"))
    return below if is_better else _brackets(text, indent, column, after)


def _below(text: str, indent: int) -> str:
    return f"({_one_a_line([text], indent, comma=False)})"


# --- inside of brackets


def _nested(text: str, indent: int, column: int, after: int) -> str:
    """Break an expression, a parameter or an entry of a dict inside of brackets."""
    if column + len(text) + after <= WIDTH:
        return text
    for mark in find_marks(text):
        if mark.kind in ("=", ":"):
            right, sign = text[mark.end :], text[mark.start : mark.end]
            left = _nested(text[: mark.start], indent, column, len(sign) + _start(right, after))
            column = _column(left, column) + len(sign)
            return left + sign + _nested(right, indent, column, after)
    operators = find_operators(text)
    if not operators:
        return _brackets(text, indent, column, after)
    parts = [_nested(text[: operators[0].start], indent, column, 0)]
    ends = [*(mark.start for mark in operators[1:]), len(text)]
    for mark, end in zip(operators, ends, strict=True):
        sign = text[mark.start + 1 : mark.end + 1]
        rest = after if end == len(text) else 0
        parts.append(sign + _nested(text[mark.end + 1 : end], indent, indent + len(sign), rest))
    return f"\n{' ' * indent}".join(parts)


def _brackets(text: str, indent: int, column: int, after: int) -> str:
    """Break the brackets of an expression one after another, each only if needed."""
    broken = ""
    end = 0
    brackets = [mark for mark in find_marks(text) if is_breakable(mark)]
    starts = [*(mark.start + 1 for mark in brackets[1:]), len(text) + after]
    for mark, following in zip(brackets, starts, strict=False):
        broken += text[end : mark.start]
        end = mark.end
        if _column(broken, column) + following - mark.start <= WIDTH:
            broken += text[mark.start : end]
        else:
            is_group = is_trailer(text, mark.start)
            broken += _broken(text[mark.start : end], indent, is_group=is_group)
    return broken + text[end:]


def _broken(text: str, indent: int, *, is_group: bool) -> str:
    """Break a pair of brackets. Its content may stay on one line if it is a group."""
    items = split_items(text[1:-1])
    if is_group and indent + 4 + len(", ".join(items)) <= WIDTH:
        items = [", ".join(items)]
    comma = len(items) > 1 or text[-2] == ","
    return text[0] + _one_a_line(items, indent, comma=comma) + text[-1]


def _one_a_line(items: Sequence[str], indent: int, *, comma: bool) -> str:
    inner = indent + 4
    end = "," * comma + "\n"
    lines = [" " * inner + _nested(item, inner, inner, comma) + end for item in items]
    return "\n" + "".join(lines) + " " * indent


# --- what fits


def _start(text: str, after: int) -> int:
    """Return the width of a text up to the first place where it can be broken."""
    for mark in find_marks(text):
        if is_breakable(mark):
            return mark.start + 1
        if mark.kind in PRECEDENCE:
            return mark.start
    return len(text) + after


def _has_room(text: str, indent: int, column: int, after: int) -> bool:
    """Return whether a text fits once each of its brackets is broken."""
    for mark in find_marks(text):
        if is_breakable(mark):
            if column + mark.start + 1 > WIDTH:
                return False
            column = indent + 1 - mark.end
    return column != indent and column + len(text) + after <= WIDTH


def _column(text: str, column: int) -> int:
    """Return the end column of a text that starts in a column."""
    return len(text) - text.rfind("\n") - 1 if "\n" in text else column + len(text)
