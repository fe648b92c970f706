"""Decide the default of a field, and its dimensions if they always agreed in the observed objects.

default(<9.8>)                      ->    Default("9.8")
default(<2 * jnp.pi>, value 6.28)   ->    Default("6.283185307179586")
default(<Scheme.EXPLICIT>)          ->    Default("Scheme.EXPLICIT")
default(factory=<list>)             ->    Default("[]")
default(factory=<make>)             ->    Default(factory="heat.plate:make")
default(<jnp.zeros(3)>)             ->    Default(expression="jnp.zeros(3)"), needs a new function

dimensions([{"u": (3, 4), "heat": (4,)}, {"u": (5, 6), "heat": (6,)}], ())
->    {"u": ("_", "n"), "heat": ("n",)}

A comment proposes dimensions. `--shapes` declares them as parameters of the class, so that one owner
may have objects of the class with different sizes.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count

from msgspec import Struct, structs

from codegen.adopt.decide.nodes import NAME_MARK, SchemaField, mark_name
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


_NAMES = ("n", "m", "k", "p", "q", "r")
_ARRAY = re.compile(f"{NAME_MARK}codegen.schema:\\w+{NAME_MARK}(\\[\\.\\.\\.\\])")
_NAMED_DIMENSION = re.compile(f"{NAME_MARK}codegen.schema:\\w+{NAME_MARK}\\[([a-z0-9_, ]+)\\]")
_ANY = "_"
_COMMENT_MAX = 90

_Place = tuple[str, int]
"""A field and one of its axes."""


def dimensions(
    seen: Sequence[Mapping[str, tuple[int, ...]]], used_names: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return a name for each axis of each field: `_` unless another axis always has its size.

    Fields that were seen with several ranks are omitted.
    """
    ranks: dict[str, set[int]] = {}
    for one in seen:
        for field, shape in one.items():
            ranks.setdefault(field, set()).add(len(shape))
    fields = {field: max(counts) for field, counts in ranks.items() if len(counts) == 1}
    groups: list[list[_Place]] = []
    for place in ((field, axis) for field, rank in fields.items() for axis in range(rank)):
        fitting = (
            group for group in groups if all(_always_agree(place, one, seen) for one in group)
        )
        group = next(fitting, None)
        if group is None:
            groups.append([place])
        else:
            group.append(place)
    free = _iter_free_names(used_names)
    called = {place: next(free) for group in groups if len(group) > 1 for place in group[:1]}
    names = {place: called[group[0]] for group in groups if group[0] in called for place in group}
    return {
        field: tuple(names.get((field, axis), _ANY) for axis in range(rank))
        for field, rank in fields.items()
    }


def _always_agree(
    one: _Place, other: _Place, seen: Sequence[Mapping[str, tuple[int, ...]]]
) -> bool:
    """Return whether two axes had equal sizes in all objects with both, and there is one."""
    sizes = [
        (shapes[one[0]][one[1]], shapes[other[0]][other[1]])
        for shapes in seen
        if one[0] in shapes and other[0] in shapes
    ]
    return bool(sizes) and all(mine == theirs for mine, theirs in sizes)


def _iter_free_names(used_names: Collection[str]) -> Iterator[str]:
    every = (f"{name}{number or ''}" for number in count() for name in _NAMES)
    return (name for name in every if name not in used_names)


def declare_dimensions(field: SchemaField, axes: Mapping[str, tuple[str, ...]]) -> SchemaField:
    """Return a field with these dimensions, if its type contains exactly one array."""
    if field.name not in axes or len(_ARRAY.findall(field.type)) != 1:
        return field
    shape = f"[{', '.join(axes[field.name])}]" if axes[field.name] else ""
    type_ = _ARRAY.sub(lambda match: match[0].removesuffix("[...]") + shape, field.type)
    return structs.replace(field, type=type_)


def dimension_names(fields: Sequence[SchemaField]) -> tuple[str, ...]:
    """Return the names of dimensions in the types of these fields, in order."""
    every = (name for field in fields for name in _NAMED_DIMENSION.findall(field.type))
    return tuple(dict.fromkeys(name for text in every for name in text.split(", ") if name != _ANY))


def format_proposal(axes: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the lines of the comment that proposes dimensions; empty if no axes agreed."""
    named = [f"{field}[{', '.join(one)}]" for field, one in axes.items() if {*one} - {_ANY}]
    text = f"Observed: {', '.join(named)}; `--shapes` declares such dimensions."
    return tuple(textwrap.wrap(text, _COMMENT_MAX)) if named else ()
