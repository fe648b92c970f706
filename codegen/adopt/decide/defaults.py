"""Convert the default of a field to schema text.

default(<9.8>)                      ->    Default("9.8")
default(<2 * jnp.pi>, value 6.28)   ->    Default("6.283185307179586")
default(<Scheme.EXPLICIT>)          ->    Default("Scheme.EXPLICIT")
default(factory=<list>)             ->    Default("[]")
default(factory=<make>)             ->    Default(factory="heat.plate:make")
default(<jnp.zeros(3)>)             ->    Default(expression="jnp.zeros(3)"), needs a new function
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping

from msgspec import Struct

from codegen.adopt.decide.nodes import mark_name
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import SourceField

_DTYPE_WORDS = frozenset(
    f"{module}.{name}"
    for module in ("jax.numpy", "numpy")
    for name in (
        *("bool_", "bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
        *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (4, 8, 16, 32, 64)),
    )
)
_EMPTY = {"builtins.list": "[]", "builtins.dict": "{}", "builtins.tuple": "()"}


class Default(Struct, frozen=True):
    """A default with exactly one of these set, or none if the field is required."""

    text: str = ""
    factory: str = ""  # Example: "heat.plate:make"
    expression: str = ""  # Example: "jnp.zeros(3)"


def decide_default(
    field: SourceField,
    names: PackageNames,
    value: Mapping[str, str] | None,
    known: Callable[[str], str | None],
) -> Default:
    """Return the default that the constructor uses.

    `value` describes the default in the imported module; None if it was not imported. `known`
    returns the type of a class that a schema can name.
    """
    if field.factory is not None:
        return _call_of_factory(field, field.factory, names)
    if field.default is None:
        return Default()
    text = _format_default(field.default)
    if text:
        return Default(text=text)
    if (
        names.resolve(field.module, field.default) in _DTYPE_WORDS
    ):  # the schema's `f32` is a different object
        return Default(expression=ast.unparse(field.default))
    if value is not None and value.get("literal"):
        text = format_literal(ast.parse(str(value["literal"]), mode="eval").body)
        if text:  # NaN and infinity have no literal
            return Default(text=text)
    if value is not None and value.get("name"):
        module, _, name = str(value["name"]).partition(":")
        first, dot, rest = name.partition(".")
        if field.role == "static":
            return Default(text=f"{mark_name(module, first)}{dot}{rest}")
    text = _constructor_call(field.default, field.module, names, known)
    if field.role == "static" and text:
        return Default(text=text)
    home = names.home(names.resolve(field.module, field.default))
    if field.role == "static" and home is not None:
        first, dot, rest = home[1].partition(".")
        return Default(text=f"{mark_name(home[0], first)}{dot}{rest}")
    return Default(expression=ast.unparse(field.default))


def _call_of_factory(field: SourceField, factory: ast.expr, names: PackageNames) -> Default:
    name = names.resolve(field.module, factory)
    if name in _EMPTY:
        return Default(text=_EMPTY[name])
    if isinstance(factory, ast.Name | ast.Attribute) and name and not name.startswith("builtins."):
        module, dot, last = name.rpartition(".")
        home = names.home(name)
        if dot and (home is None or "." not in home[1]):
            return Default(factory=f"{module}:{last}")
    if isinstance(factory, ast.Lambda):
        text = _format_default(factory.body)
        return Default(text=text) if text else Default(expression=ast.unparse(factory.body))
    return Default(expression=f"{ast.unparse(factory)}()")


def _format_default(expression: ast.expr) -> str:
    """Return a literal, or an empty list or dict; empty for other expressions."""
    text = ast.unparse(expression)
    return text if text in ("[]", "{}") else format_literal(expression)


def _constructor_call(
    expression: ast.expr, module: str, names: PackageNames, known: Callable[[str], str | None]
) -> str:
    """Return a call of a schema's static class, or a tuple; empty for other expressions.

    The arguments and elements are literals, or such calls or tuples.
    """
    match expression:
        case ast.Tuple(elts=parts):
            texts = [_constructor_call(one, module, names, known) for one in parts]
            return f"({', '.join(texts)}{',' * (len(texts) == 1)})" if all(texts) else ""
        case ast.Call(func=function, args=arguments, keywords=keywords):
            type_ = known(names.resolve(module, function))
            texts = [_constructor_call(one, module, names, known) for one in arguments]
            named = [
                (one.arg, _constructor_call(one.value, module, names, known)) for one in keywords
            ]
            if type_ is None or not all(texts) or not all(name and text for name, text in named):
                return ""
            return f"{type_}({', '.join([*texts, *(f'{name}={text}' for name, text in named)])})"
        case _:
            return format_literal(expression)


def format_literal(expression: ast.expr) -> str:
    """Return a literal of plain values, signed numbers and tuples; empty for other expressions."""
    try:
        value = ast.literal_eval(expression)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""
    return format_plain(value)


def format_plain(value: object) -> str:
    """Return a plain value as source; empty if it is not plain or not finite."""
    match value:
        case None | bool() | int() | float() | complex() | bytes():
            text = repr(value)
            return "" if "inf" in text or "nan" in text else text
        case str():
            return json.dumps(value) if value.isprintable() else repr(value)
        case tuple():
            parts = [format_plain(one) for one in value]
            if all(parts):
                return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return ""
