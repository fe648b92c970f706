"""Hypothesis strategies for random schemas, most of them legal.

schema = draw(schemas())
schema.text        # the content of the file
schema.declared    # {"Grid": ["nx", "dx"]}: the classes and their fields
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from codegen.schema.names import BUILTIN_NAMES, MEMBERS

HEAD = """from enum import Enum, IntEnum
from typing import Any, Callable, ClassVar, Generic, Literal, Mapping, Sequence, TypeVar

from codegen.schema import (
    Dim, Float, Int, Shaped, bf16, donated, dtype, dynamic, f32, field, frozendict, i32, identity,
    impl, key, ref, stacked, static, u8,
)

nx = Dim()
ny = Dim(mesh="rows")
T = TypeVar("T")

class Level(IntEnum):
    LOW = 1
    HIGH = 2

class Empty: ...

class Leaf:
    n: static[int] = 3

class Part:
    u: donated[f32[nx]]

class Sized(dims=(a,)):
    w: dynamic[f32[a]]

class Box(Generic[T]):
    held: dynamic[T]

class Layer:
    v: donated[f32[ny]]

"""
ALWAYS = {
    "Empty": [],
    "Leaf": ["n"],
    "Part": ["u"],
    "Sized": ["w"],
    "Box": ["held"],
    "Layer": ["v"],
}

_SCALARS = ("int", "float", "bool", "complex", "str", "bytes")
_NAMES = st.one_of(
    st.text("abcxyz_", min_size=1, max_size=6),
    st.sampled_from(
        [
            *(
                [
                    "self",
                    "cls",
                    "int",
                    "list",
                    "property",
                    "type",
                    "object",
                    "key",
                    "match",
                    "jax",
                    "np",
                    "obj",
                    "split",
                    "kept",
                ]
            ),
            *(["donated_", "children", "values", "result", "impl", "dataclass", "Änderung", "Δt"]),
            "x" * 90,
        ]
    ),
).filter(
    lambda name: (
        name.isidentifier()
        and not name.startswith("_")
        and name not in {*MEMBERS, "as", "is", "in", "or", "if"}
    )
)
_TEXTS = st.text(
    st.sampled_from("ab \"'\\\n{}%#\t\u00e9\u202e\ud800") | st.characters(), max_size=12
)

_static_leaf = st.sampled_from(
    [
        *(*_SCALARS, "None", "dtype", "Leaf", "Empty", "Level", "Any", "f32[3]", "Float[..., nx]"),
        *("u8", 'Literal["a", 1, None]', "Callable[[f32[nx]], f32]", "Callable[..., Any]"),
        "Callable[[], None]",
    ]
)
_dynamic_leaf = st.sampled_from(
    [
        *("int", "float", "complex", "bool", "f32", "f32[nx, ny]", "f32[nx + 1, _]", "bf16[...]"),
        *("i32[*b]", "key", "key[2]", "Int[3]", "Shaped[2 * nx]", "Part", "Sized[nx]", "Sized[_]"),
        *("Box[f32]", "Any", "u8[nx // 2, ny - 1]", "Box[int]", "Sized"),
        "stacked[Layer, nx + 1]",
    ]
)


def _static(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        inner.map("tuple[{}, ...]".format),
        st.lists(inner, min_size=1, max_size=3).map(lambda ts: f"tuple[{', '.join(ts)}]"),
        st.sampled_from(_SCALARS).map("frozenset[{}]".format),
        (inner | _dynamic_leaf).map("identity[{}]".format),
        inner.map("frozendict[str, {}]".format),
        st.builds("{} | {}".format, inner, inner),
    )


def _dynamic(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        inner.map("list[{}]".format),
        inner.map("tuple[{}, ...]".format),
        inner.map("tuple[{}, nx]".format),
        st.lists(inner, min_size=1, max_size=3).map(lambda ts: f"tuple[{', '.join(ts)}]"),
        inner.map("dict[str, {}]".format),
        inner.map("Mapping[int, {}]".format),
        inner.map("Sequence[{}]".format),
        st.builds("{} | {}".format, inner, inner),
    )


static_types = st.recursive(_static_leaf, _static, max_leaves=5)
dynamic_types = st.recursive(_dynamic_leaf, _dynamic, max_leaves=5)
_DEFAULTS = {
    "int": st.integers().map(repr),
    "float": st.floats(allow_nan=False, allow_infinity=False).map(repr),
    "bool": st.booleans().map(repr),
    "complex": st.just("1j") | st.integers(0, 9).map(lambda n: f"-{n}.5j"),
    "str": _TEXTS.map(ascii),
    "bytes": st.binary(max_size=6).map(repr),
    "None": st.just("None"),
    "Leaf": st.integers().map("Leaf({})".format),
    "Empty": st.just("Empty()"),
    "Level": st.just("Level.LOW"),
    "dtype": st.sampled_from(["f32", "bf16", "key"]),
    "f32": st.just("0.5"),
}


@dataclass(frozen=True)
class Schema:
    """A schema, and its declarations if it is legal."""

    text: str
    declared: dict[str, list[str]]


@st.composite
def _role_and_type(draw: st.DrawFn) -> tuple[str, str]:
    role = draw(st.sampled_from(["static", "dynamic", "donated", "ref"]))
    if role == "ref":
        return role, draw(st.sampled_from(["f32[nx]", "bf16", "Float[...]"]))
    return role, draw(static_types if role == "static" else dynamic_types)


@st.composite
def _field(draw: st.DrawFn, name: str) -> str:
    role, type = draw(_role_and_type())
    default = ""
    if role != "ref" and type in _DEFAULTS and draw(st.booleans()):
        default = f" = {draw(_DEFAULTS[type])}"
        if draw(st.integers(0, 3)) == 0:
            default = f" = field(default={default.removeprefix(' = ')})"
    elif draw(st.integers(0, 3)) == 0:
        default = ' = field(factory="somewhere:f.g")'
    if role != "static" and not default and draw(st.booleans()):
        default = f" = field(tag={draw(_TEXTS.filter(bool))!a})"
    doc = draw(st.one_of(st.just(""), _TEXTS.map(lambda t: f"\n    {t!a}"), st.just("  # [K]")))
    return f"    {name}: {role}[{type}]{default}{doc}\n"


@st.composite
def _class(draw: st.DrawFn, name: str) -> tuple[str, list[str]]:
    options = draw(st.sampled_from(["", "", "", "(kw_only=True, sort_leaves=True)"]))
    fields = draw(st.lists(_NAMES, max_size=6, unique=True))
    lines = [f"class {name}{options}:\n"]
    lines += [f"    {draw(_TEXTS)!a}\n"] if draw(st.booleans()) else []
    lines += [draw(_field(one)) for one in fields]
    if draw(st.booleans()):
        result = draw(dynamic_types)
        lines += ["\n    @property\n"] if draw(st.booleans()) else ["\n"]
        lines += [f'    @impl("somewhere:f.g")\n    def zz_method(self) -> {result}: ...\n']
    return "".join([*lines, "    ...\n" if len(lines) == 1 else "", "\n"]), fields


@st.composite
def _function(draw: st.DrawFn, name: str) -> str:
    parameters = []
    for one in draw(st.lists(_NAMES.filter(lambda n: n != "self"), max_size=4, unique=True)):
        role, type = draw(_role_and_type())
        parameters.append(f"{one}: {role}[{type}]")
    return (
        f'@impl("somewhere:{name}")\n'
        f"def {name}({', '.join(parameters)}) -> {draw(dynamic_types)}:\n"
        f"    {draw(_TEXTS)!a}\n\n"
    )


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """Draw a module with a few classes and functions."""
    text = f"{draw(_TEXTS)!a}\n{HEAD}"
    declared = dict(ALWAYS)
    used = {*BUILTIN_NAMES}
    for number in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from([f"Made{number}", "Array", "Pytree", "Key", "Plate"]))
        if name not in declared and name not in used:
            body, declared[name] = draw(_class(name))
            text += body
    for number in range(draw(st.integers(0, 2))):
        text += draw(_function(f"zz_step{number}"))
    return Schema(text, declared)


_FRAGMENTS = [
    *(
        "static[",
        "dynamic[",
        "donated[",
        "]",
        "[",
        "(",
        ")",
        ":",
        ",",
        "=",
        "|",
        "->",
        "...",
        ".",
        "@",
    ),
    *(
        "class ",
        "def ",
        "from ",
        "import ",
        "lambda: 0",
        "None",
        "True",
        "1",
        "-1",
        "1e999",
        "0x10",
    ),
    *('"', "'", '"""', "#", "\\", "\n", "\t", "    ", "\r", "\x0c", "\x00", "\u202e", "\ufeff"),
    *("int", "f32", "nx", "Leaf", "Part", "T", "self", "*", "**", "/", "//", "async ", "await "),
    *(
        "field(",
        "Dim()",
        "impl",
        "share(",
        "init=",
        "convert=",
        '"m:f"',
        "dims=(nx,)",
        "abstract=True",
    ),
    *(
        "{{ x }}",
        "{% x %}",
        "\u00e9",
        "\ufb01",
        "if",
        "yield",
        ":=",
        "f'{x}'",
        "x" * 200,
        "9" * 5000,
    ),
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw a schema in which something was removed, duplicated, swapped or inserted."""
    text = draw(schemas()).text
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        kind = draw(st.sampled_from(["cut", "double", "insert", "move"]))
        if kind == "cut":
            text = text[:start] + text[end:]
        elif kind == "double":
            text = text[:end] + text[start:end] + text[end:]
        elif kind == "insert":
            text = text[:start] + draw(st.sampled_from(_FRAGMENTS)) + text[start:]
        else:
            piece, text = text[start:end], text[:start] + text[end:]
            place = draw(st.integers(0, len(text)))
            text = text[:place] + piece + text[place:]
    return text
