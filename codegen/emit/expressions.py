"""Python expressions of the output: literals of values, and expressions of dimensions."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from functools import lru_cache

from codegen.emit.marks import split_items
from codegen.emit.names import ModuleNames
from codegen.program.nodes import (
    Collection,
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    FactoryCall,
    Imported,
    Value,
)


@lru_cache(maxsize=1024)  # the names of fields and dtypes occur often
def py_str(text: str) -> str:
    r"""Format a string literal, quoted as formatters quote it.

    py_str('say "hi"')    ->    'say "hi"'
    py_str("caf\u00e9")    ->    "caf\u00e9", six characters of ASCII for the last letter
    """
    return _quoted(ascii(text))


def strings(texts: Iterable[str]) -> str:
    """Format a tuple of string literals."""
    return tuple_of(*map(py_str, texts))


def py_bytes(data: bytes) -> str:
    """Format a bytes literal."""
    return "b" + _quoted(ascii(data)[1:])


def _quoted(literal: str) -> str:
    """Convert Python's choice of quotes to double ones, unless that takes more escapes."""
    if '"' not in literal:
        return f'"{literal[1:-1]}"'
    plain = literal[1:-1].replace("\\'", "'")
    if literal[0] == '"' or plain.count('"') > plain.count("'"):
        return literal
    return '"' + plain.replace('"', '\\"') + '"'


def py_value(value: complex | str | bytes | bool | None) -> str:
    """Format a scalar."""
    if isinstance(value, str):
        return py_str(value)
    if isinstance(value, bytes):
        return py_bytes(value)
    if isinstance(value, complex):
        # `repr` loses the sign of a zero.
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    return _number(value)


def _number(value: float | None) -> str:
    """Format an exponent as formatters do, without its plus."""
    return repr(value).replace("e+", "e")


def expression(value: Value, names: ModuleNames) -> str:
    """Format a default."""
    match value:
        case Constant():
            return py_value(value.value)
        case EnumMember():
            return f"{names.ref(value.ref)}.{value.member}"
        case DTypeName():
            return f"{names.use('numpy', '')}.dtype({py_str(value.dtype)})"
        case Imported():
            return names.external(value)
        case FactoryCall():
            return "_rt.MISSING"
        case Construction():
            positional = [expression(v, names) for v in value.arguments]
            keywords = [f"{k}={expression(v, names)}" for k, v in value.keywords]
            return call(names.ref(value.ref), *positional, *keywords)
        case Collection(container="tuple"):
            return tuple_of(*(expression(v, names) for v in value.items))
        case Collection():
            items = [expression(v, names) for v in value.items]
            return call(names.builtin("frozenset"), *([tuple_of(*items)] if items else []))
        case Entries():
            pairs = [(expression(k, names), expression(v, names)) for k, v in value.items]
            frozendict = "_rt.frozendict"
            return call(frozendict, *([dict_of(pairs)] if pairs else []))


def docstring(lines: list[str], indent: int) -> str:
    """Format a docstring of several lines. The first line starts beside the quotes."""
    escaped = [_escape(line) for line in lines]
    if escaped[0].startswith('"'):
        escaped[0] = "\\x22" + escaped[0][1:]
    margin = " " * indent
    body = [escaped[0], *(margin + line if line else "" for line in escaped[1:])]
    # Keep one line, however long: `ruff format` does the same, and would add a space after a quote.
    if len(body) == 1:
        text = f"{body[0][:-1]}\\x22" if body[0].endswith('"') else body[0]
        return f'{margin}"""{text}"""'
    return f'{margin}"""' + "\n".join(body) + f'\n{margin}"""'


def _escape(line: str) -> str:
    literal = ascii(line.expandtabs(4).rstrip(" "))
    text = literal[1:-1]
    if literal[0] == "'":
        text = text.replace("\\'", "'")  # which needs no escape here
    return text.replace('"""', "\\x22\\x22\\x22")


def paragraph(text: str, width: int, hanging: str = "") -> list[str]:
    """Wrap one paragraph; later lines are indented by `hanging`."""
    line = " ".join(text.split())
    if line and len(line) <= width:
        return [line]  # the common case, where textwrap would be slow
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def doc_lines(text: str) -> list[str]:
    """Return an author's docstring line by line, unchanged."""
    words = text.strip("\n ")
    return words.split("\n") if words else []


# The texts of empty values.
NOTHING = ("", "()", "[]", "{}")


def call(function: str, *arguments: str) -> str:
    """Format a call.

    call("Grid", "4", "dx=0.1")                ->    "Grid(4, dx=0.1)"
    format_union("int | None", "float")              ->    "int | None | float"
    """
    return f"{function}({', '.join(arguments)})"


def assignment(name: str, annotation: str, value: str) -> str:
    """Format an assignment to a variable with a type."""
    return f"{name}: {annotation} = {value}"


def keywords(**values: str) -> list[str]:
    """Return keyword arguments, without those that are empty."""
    return [f"{name}={value}" for name, value in values.items() if value not in NOTHING]


def subscript(head: str, *items: str) -> str:
    """Format a type with its arguments, if any."""
    return f"{head}[{', '.join(items)}]" if items else head


def tuple_of(*items: str) -> str:
    """Format a tuple."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def list_of(*items: str) -> str:
    """Format a list."""
    return f"[{', '.join(items)}]"


def dict_of(items: Iterable[tuple[str, str]]) -> str:
    """Format a dict of keys and values that are already text."""
    return f"{{{', '.join(f'{key}: {value}' for key, value in items)}}}"


def unless_none(name: str, condition: str) -> str:
    """Format a condition for a value that may be None. The condition is false for None."""
    inner = f"({condition})" if " or " in condition else condition
    return f"{name} is not None" + (f" and {inner}" if inner else "")


def format_union(*members: str) -> str:
    """Format a union in which each alternative occurs once."""
    items = dict.fromkeys(one for member in members for one in split_items(member, "|"))
    return " | ".join(items)
