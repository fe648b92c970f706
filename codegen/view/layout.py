"""Break lines as `ruff format` does at 88 columns, so that no formatter is needed when building.

    Bracket("Callable[", ("[A]", "B"), "]")    ->    Callable[[A], B]    or, where that is too long,
                                                     Callable[
                                                         [A],
                                                         B,
                                                     ]

Whatever is broken ends in a comma that formatters respect, so the result stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

WIDTH: Final = 88


class Bracket(Struct, frozen=True):
    """Items in brackets, separated by commas."""

    opening: str
    items: tuple[Node | Entry, ...]
    closing: str
    # False where a trailing comma would change the meaning: `list[A,]`.
    trailing: bool = True


class Entry(Struct, frozen=True):
    """`(A, B): C` of a dict: the key breaks where not even the start of the value fits behind it."""

    key: Bracket
    value: Node


class Choice(Struct, frozen=True):
    """`A | B`."""

    members: tuple[Node, ...]


Node: TypeAlias = str | Bracket | Choice


def subscript(head: str, *items: Node) -> Bracket:
    """Make `head[a, b]`."""
    return Bracket(f"{head}[", items, "]", trailing=len(items) > 1)


def call(function: str, *arguments: Node) -> Bracket:
    """Make `function(a, b)`."""
    return Bracket(f"{function}(", arguments, ")")


def choice(*members: Node) -> Node:
    """Join members, flat and without repeats, so that `f32 | Array` becomes one ArrayLike."""
    found: dict[Node, None] = {}
    for member in members:
        found |= dict.fromkeys(member.members if isinstance(member, Choice) else (member,))
    return next(iter(found)) if len(found) == 1 else Choice(tuple(found))


def tuple_of(*items: Node) -> Node:
    """Make a tuple: `()`, `(a,)` or `(a, b)`."""
    if len(items) == 1:
        return Bracket("(", items, ",)")
    return Bracket("(", items, ")")


def flat(node: Node | Entry) -> str:
    """Print a node in one line."""
    # It is asked hundreds of times a class: most nodes are text, and lists join faster.
    if isinstance(node, str):
        return node
    if isinstance(node, Bracket):
        return node.opening + ", ".join([flat(i) for i in node.items]) + node.closing
    if isinstance(node, Entry):
        return f"{flat(node.key)}: {flat(node.value)}"
    return " | ".join([flat(m) for m in node.members])


def fit(node: Node | Entry, indent: int, before: int, after: int = 0) -> str:
    """Print a node that starts in column `before`, with `after` characters to follow on its last line."""
    text = flat(node)
    if before + len(text) + after <= WIDTH or isinstance(node, str):
        return text
    if isinstance(node, Choice):
        last = len(node.members) - 1
        parts = [
            fit(m, indent, before if i == 0 else indent + 2, after if i == last else 0)
            for i, m in enumerate(node.members)
        ]
        return f"\n{' ' * indent}| ".join(parts)
    return _entry(node, indent, after) if isinstance(node, Entry) else _broken(node, indent)


def _entry(node: Entry, indent: int, after: int) -> str:
    prefix = f"{flat(node.key)}: "
    if isinstance(node.value, Bracket) and indent + len(prefix + node.value.opening) <= WIDTH:
        return prefix + _broken(node.value, indent)
    before = indent + len(node.key.closing.removeprefix(",")) + 2
    return f"{_broken(node.key, indent)}: {fit(node.value, indent, before, after)}"


def _broken(node: Bracket, indent: int) -> str:
    inner = " " * (indent + 4)
    comma = "," if node.trailing else ""
    lines = [inner + fit(item, indent + 4, indent + 4, len(comma)) + comma for item in node.items]
    closing = node.closing.removeprefix(",")
    return "\n".join([node.opening, *lines, " " * indent + closing])


def parenthesized(node: Node, indent: int, before: int, after: int = 0) -> str:
    """Print an annotation or alias that stands alone: a union too long for its line gets parentheses."""
    text = flat(node)
    if before + len(text) + after <= WIDTH:
        return text
    if isinstance(node, Choice) or _is_better_below(node, indent, before, after):
        inner = " " * (indent + 4)
        return f"(\n{inner}{fit(node, indent + 4, indent + 4)}\n{' ' * indent})"
    return fit(node, indent, before, after)


def _is_better_below(node: str | Bracket, indent: int, before: int, after: int) -> bool:
    """Say whether a node whose start does not fit in column `before` fits on lines of its own."""
    start, follows = (node, after) if isinstance(node, str) else (node.opening, 0)
    if not before + len(start) + follows > WIDTH > before:
        return False
    lines = (" " * (indent + 4) + fit(node, indent + 4, indent + 4)).split("\n")
    return max(map(len, lines)) <= WIDTH


def statement(prefix: str, node: Node, indent: int = 0) -> str:
    """Print `prefix` and a node as one statement, indentation included."""
    before = indent + len(prefix)
    if prefix.endswith("= ") and not isinstance(node, Choice):
        return " " * indent + prefix + parenthesized(node, indent, before)
    return " " * indent + prefix + fit(node, indent, before)


def unpacking(targets: list[str], value: Node, indent: int) -> str:
    """Print `a, b = value`, with parentheses only where formatters want them."""
    bare = f"{', '.join(targets)} = "
    opening = value if isinstance(value, str) else flat(value).partition("(")[0] + "("
    if len(targets) > 1 and indent + len(bare) + len(opening) <= WIDTH:
        return statement(bare, value, indent)
    single = f"{flat(tuple_of(*targets))} = "
    if len(targets) == 1 and isinstance(value, str) and indent + len(single) < WIDTH:
        # A tuple of one item is broken only where a value in parentheses does not help.
        return statement(single, value, indent)
    left = fit(tuple_of(*targets), indent, indent, len(f" = {opening}"))
    last = left.rsplit("\n", 1)[-1]
    before = len(last) + (3 if "\n" in left else indent + 3)
    return f"{' ' * indent}{left} = {fit(value, indent, before)}"


def import_as(module: str, name: str, local: str, indent: int) -> str:
    """Write the import of one name."""
    return import_from(module, [name if name == local else f"{name} as {local}"], indent)


def import_from(module: str, names: Sequence[str], indent: int) -> str:
    """Write the import of names, broken as `ruff format` does it."""
    margin = " " * indent
    line = f"{margin}from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return line
    inner = "".join(f"{margin}    {name},\n" for name in names)
    return f"{margin}from {module} import (\n{inner}{margin})"


def default_of(prefix: str, held: Node, default: Node, indent: int) -> str:
    """Print a parameter with a default: its type breaks where not even the start of that fits behind it."""
    breaks = isinstance(default, Bracket) and bool(default.items)
    start = default.opening if isinstance(default, Bracket) and breaks else flat(default)
    after = len(f" = {start}") + (not breaks)
    typed = prefix + fit(held, indent, indent + len(prefix), after)
    last = typed.rsplit("\n", 1)[-1]
    before = len(last) + (3 if "\n" in typed else indent + 3)
    return f"{typed} = {fit(default, indent, before, 1)}"


def signature(head: str, parameters: Sequence[str], tail: str, indent: int) -> str:
    """Print a parameter list: in one line where it fits, else one parameter a line."""
    line = f"{' ' * indent}{head}{', '.join(parameters)}{tail}"
    # A comment behind the bracket ends its line. Where something breaks, the parameters do so first.
    breaks = "#" in head or any("\n" in p for p in parameters) or ("\n" in tail and parameters)
    is_broken = not parameters and "\n" in tail  # in the result, as nothing else can be
    if not breaks and (is_broken or len(line.split("\n", 1)[0]) <= WIDTH):
        return line
    lines = [f"{' ' * (indent + 4)}{parameter}," for parameter in parameters]
    bracket, arrow, result = tail.partition(") -> ")
    if arrow and not parameters:
        below = " " * (indent + 4) + result.removesuffix(":")
        return f"{' ' * indent}{head}{bracket}{arrow}(\n{below}\n{' ' * indent}):"
    if arrow and result.endswith(":") and "\n" not in result:
        returned = parenthesized(result.removesuffix(":"), indent, indent + len(arrow), 1)
        tail = f"{bracket}{arrow}{returned}:"
    return "\n".join([" " * indent + head, *lines, " " * indent + tail])


def is_too_long(line: str) -> bool:
    """Say whether a line that cannot be broken exceeds the width."""
    return any(len(part) > WIDTH for part in line.split("\n"))
