"""Expressions of the generated code, each a text without line breaks.

call("Grid", "4", "dx=0.1")                ->    "Grid(4, dx=0.1)"
either("int | None", "float")              ->    "int | None | float"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

# What is written where there is nothing to write.
NOTHING = ("", "()", "[]", "{}")
_OPENING, _CLOSING, _QUOTES = "([{", ")]}", "\"'"


def call(function: str, *arguments: str) -> str:
    """Write a call."""
    return f"{function}({', '.join(arguments)})"


def keywords(**values: str) -> list[str]:
    """Write keyword arguments, without those that hold nothing."""
    return [f"{name}={value}" for name, value in values.items() if value not in NOTHING]


def subscript(head: str, *items: str) -> str:
    """Write a type with its arguments, if it has some."""
    return f"{head}[{', '.join(items)}]" if items else head


def tuple_of(*items: str) -> str:
    """Write a tuple."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def list_of(*items: str) -> str:
    """Write a list."""
    return f"[{', '.join(items)}]"


def dict_of(items: Iterable[tuple[str, str]]) -> str:
    """Write a dict of keys and values that are written already."""
    return f"{{{', '.join(f'{key}: {value}' for key, value in items)}}}"


def unless_none(name: str, condition: str) -> str:
    """Write a condition for a value that may be None, of which it then does not hold."""
    inner = f"({condition})" if " or " in condition else condition
    return f"{name} is not None" + (f" and {inner}" if inner else "")


def either(*members: str) -> str:
    """Write a union, in which each alternative stands once."""
    found = dict.fromkeys(one for member in members for one in alternatives(member))
    return " | ".join(found)


def alternatives(text: str) -> list[str]:
    """Return the alternatives of a union: what `|` separates outside of any brackets."""
    return list(_split(text, "|")) if "|" in text else [text]


def arguments_of(text: str) -> tuple[str, list[str]]:
    """Return the head and the arguments of a subscript; of anything else, itself and none."""
    head, bracket, rest = text.partition("[")
    if not bracket or not rest.endswith("]"):
        return text, []
    return head, list(_split(rest[:-1], ","))


def _split(text: str, separator: str) -> Iterator[str]:
    depth, start, quote = 0, 0, ""
    for place, character in enumerate(text):
        if quote:
            if character == quote and text[place - 1] != "\\":
                quote = ""
        elif character in _QUOTES:
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == separator and not depth:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()
