r"""Text of a schema as Python literals: ASCII, and unable to end early.

py_str('say "hi"')    ->    'say "hi"'
py_str("caf\u00e9")    ->    "caf\u00e9", six characters of ASCII for the last letter
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from codegen.program.nodes import (
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    Imported,
    Items,
    Made,
    Value,
)
from codegen.view.expressions import call, dict_of, tuple_of
from codegen.view.names import Names


def py_str(text: str) -> str:
    """Write a string literal, quoted as formatters quote it."""
    return _quoted(ascii(text))


def strings(texts: Iterable[str]) -> str:
    """Write a tuple of string literals."""
    return tuple_of(*map(py_str, texts))


def py_bytes(data: bytes) -> str:
    """Write a bytes literal."""
    return "b" + _quoted(ascii(data)[1:])


def _quoted(literal: str) -> str:
    """Turn Python's choice of quotes into double ones, unless that takes more escapes."""
    if '"' not in literal:
        return f'"{literal[1:-1]}"'
    plain = literal[1:-1].replace("\\'", "'")
    if literal[0] == '"' or plain.count('"') > plain.count("'"):
        return literal
    return '"' + plain.replace('"', '\\"') + '"'


def py_value(value: complex | str | bytes | bool | None) -> str:
    """Write a scalar."""
    if isinstance(value, str):
        return py_str(value)
    if isinstance(value, bytes):
        return py_bytes(value)
    if isinstance(value, complex):
        # `repr` loses the sign of a zero.
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    return _number(value)


def _number(value: float | None) -> str:
    """Write an exponent as formatters do, without its plus."""
    return repr(value).replace("e+", "e")


def expression(value: Value, names: Names) -> str:
    """Write a default."""
    match value:
        case Constant():
            return py_value(value.value)
        case EnumMember():
            return f"{names.ref(value.ref)}.{value.member}"
        case DTypeName():
            return f"{names.use('numpy', '')}.dtype({py_str(value.dtype)})"
        case Imported():
            return names.external(value)
        case Made():
            return names.runtime("keys", "MISSING")
        case Construction():
            positional = [expression(v, names) for v in value.arguments]
            keywords = [f"{k}={expression(v, names)}" for k, v in value.keywords]
            return call(names.ref(value.ref), *positional, *keywords)
        case Items(container="tuple"):
            return tuple_of(*(expression(v, names) for v in value.items))
        case Items():
            items = [expression(v, names) for v in value.items]
            return call(names.builtin("frozenset"), *([tuple_of(*items)] if items else []))
        case Entries():
            pairs = [(expression(k, names), expression(v, names)) for k, v in value.items]
            frozendict = names.runtime("frozendict", "frozendict")
            return call(frozendict, *([dict_of(pairs)] if pairs else []))


def docstring(lines: list[str], indent: int) -> str:
    """Write a docstring of several lines, the first beside the quotes."""
    escaped = [_escape(line) for line in lines]
    if escaped[0].startswith('"'):
        escaped[0] = "\\x22" + escaped[0][1:]
    margin = " " * indent
    body = [escaped[0], *(margin + line if line else "" for line in escaped[1:])]
    # However long it is: so does `ruff format`, which would put a space behind a quote.
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
        return [line]  # as most are, which textwrap takes its time to find out
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def doc_lines(text: str) -> list[str]:
    """Return an author's docstring line by line, as it was written."""
    words = text.strip("\n ")
    return words.split("\n") if words else []
