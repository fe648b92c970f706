"""Print a node of any stage: its class and fields, and the nodes in it below it.

    dump("fields", FieldDecl("nx", "static", <int>, default=<4>, options=(("tag", <"a">),)))
    # fields: FieldDecl name='nx' role='static' type=int default=4 options=[['tag', 'a']]

Places, defaults and what is empty are left out. Types and values are as in messages.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final, cast

from msgspec import NODEFAULT, Struct

from codegen.program.nodes import ValueNode
from codegen.program.types import Ref, Type
from codegen.schema.vocabulary import LanguageWord
from codegen.source import Source, Span

_EMPTY: Final[tuple[object, ...]] = ("", None, (), [], False)
# Those among `fields` whose `owner` is the class.
_REPEATED = "own_fields"


def dump(title: str, value: object, indent: str = "") -> Iterator[str]:
    """Yield the lines of a value."""
    text = _inline(value)
    if text is not None:
        yield f"{indent}{title}: {text}"
    elif isinstance(value, Struct | ast.AST):
        fields = [(name, part, _inline(part)) for name, part in shown_fields(value)]
        plain = "".join(f" {name}={text}" for name, _, text in fields if text is not None)
        yield f"{indent}{title}: {type(value).__name__}{plain}"
        for name, part, text in fields:
            if text is None:
                yield from dump(name, part, f"{indent}  ")
    else:
        for part in cast("Iterable[object]", value):
            yield from dump(title, part, indent)


def shown_fields(node: Struct | ast.AST) -> Iterator[tuple[str, object]]:
    """Yield the fields of a node that are printed, by name."""
    names = node._fields if isinstance(node, ast.AST) else node.__struct_fields__
    defaults = () if isinstance(node, ast.AST) else node.__struct_defaults__
    # The last fields are those with defaults.
    default_of = dict(zip(reversed(names), reversed(defaults), strict=False))
    for name in names:
        value: object = getattr(node, name)
        default = default_of.get(name, NODEFAULT)
        is_empty = value in _EMPTY if default is NODEFAULT else value == default
        if not (is_empty or name == _REPEATED or isinstance(value, Span | Source)):
            yield name, value


def _inline(value: object) -> str | None:
    """Return a value in one line; None for a node, and for a collection that holds one."""
    if isinstance(value, ast.expr):
        return ast.unparse(value)
    if isinstance(value, Type | ValueNode | Ref):
        return str(value)
    if isinstance(value, LanguageWord):
        return value.name
    if isinstance(value, tuple | list | frozenset):
        parts = [_inline(part) for part in cast("Iterable[object]", value)]
        texts = [part for part in parts if part is not None]
        if len(texts) < len(parts):
            return None
        return f"[{', '.join(sorted(texts) if isinstance(value, frozenset) else texts)}]"
    return None if isinstance(value, Struct | ast.AST) else repr(value)
