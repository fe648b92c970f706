"""Decide the type of a field from its annotation and from observed values.

dynamic_type(<jax.Array>, None, known)                          ->    Shaped[...] | float | None
dynamic_type(<float>, None, known)                              ->    int | float | bool | None
dynamic_type(<int>, {"array i32 strong jax 0", "int"}, known)   ->    int
static_type(<float>, {"int"}, known)                            ->    float | int

An annotation is only a hint: in one package, a tenth of 300 fields contained values that contradict
it. So the type is lenient if nothing was observed. An array type converts numbers and weakly typed
arrays to strong arrays. A number type accepts any array unchanged. So a field with observed numbers
or weak arrays gets a number type. `Any` never changes a value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

from msgspec import json

from codegen.adopt.decide.nodes import mark_name
from codegen.adopt.find.names import AnnotatedType, PackageNames
from codegen.adopt.libraries import ARRAYS
from codegen.adopt.observe.describe import kind_of
from codegen.schema.vocabulary import VOCABULARY

_SCHEMA = "codegen.schema"
ANY = mark_name("typing", "Any")
CALLABLE = f"{mark_name('collections.abc', 'Callable')}[..., {ANY}]"
IDENTITY = f"{mark_name(_SCHEMA, 'identity')}[{ANY}]" if "identity" in VOCABULARY else ANY
TypeOfClass: TypeAlias = Callable[[str], str | None]
"""The type of a class by its absolute name, None where no schema can name it."""
_NUMBERS = ("bool", "int", "float", "complex")
_SCALARS = (*_NUMBERS, "str", "bytes")
_NUMBERS_OR_ARRAYS = frozenset(("chex.Numeric", "chex.Scalar", "jaxtyping.ScalarLike"))
_CONTAINERS = {
    f"{module}.{name}": name.lower()
    for module, names in (("builtins", "tuple list dict"), ("typing", "Tuple List Dict"))
    for name in names.split()
}
_KINDS = ("Float", "Int", "UInt", "Bool", "Complex", "Inexact", "Real", "Num", "Shaped")
_DEPTH_MAX = 8  # of containers in an alias that contains itself


class AllowedTypes:
    """The values that a type allows, collected step by step."""

    def __init__(self) -> None:
        self.scalars: set[str] = set()
        self.arrays: set[str] = set()  # words of the language: "Shaped", "f32"
        self.types: dict[str, str] = {}  # classes, enums, callables
        self.has_none = False
        self.is_any = False

    def add(self, other: AllowedTypes) -> None:
        """Also allow what another one allows."""
        self.scalars |= other.scalars
        self.arrays |= other.arrays
        self.types |= other.types
        self.has_none |= other.has_none
        self.is_any |= other.is_any

    def type(self) -> str:
        """Return all of it as one type of the language."""
        if self.is_any or not (self.scalars or self.arrays or self.types or self.has_none):
            return ANY
        parts = [self.types[name] for name in sorted(self.types)]
        arrays = {"Shaped"} if len(self.arrays) > 1 else self.arrays
        parts += [f"{mark_name(_SCHEMA, name)}[...]" for name in sorted(arrays)]
        parts += [name for name in _SCALARS if name in self.scalars]
        return " | ".join([*parts, *(["None"] if self.has_none else [])])


class AnnotationReader:
    """Reads annotations; `known` returns the type of a class that a schema can name, or None."""

    def __init__(self, names: PackageNames, known: TypeOfClass) -> None:
        self._names = names
        self._known = known

    def members(self, module: str, annotation: ast.expr | None, depth: int = 0) -> AllowedTypes:
        """Return what an annotation allows; anything, if it is not understood."""
        allowed = AllowedTypes()
        for one in self._names.members(module, annotation):
            self._add(one, allowed, depth)
        return allowed

    def _add(self, one: AnnotatedType, allowed: AllowedTypes, depth: int) -> None:
        name, last = one.name, one.name.rpartition(".")[2]
        if name == "builtins.None":
            allowed.has_none = True
        elif name.startswith("builtins.") and last in _SCALARS:
            allowed.scalars.add(last)
        elif one.parts and name.startswith("jaxtyping.") and last in _KINDS:
            allowed.arrays.add(last)
        elif name in ARRAYS or (one.parts and (name.startswith("jaxtyping.") or last == "NDArray")):
            allowed.arrays.add("Shaped")
        elif name in _NUMBERS_OR_ARRAYS:
            allowed.scalars |= {"int", "float", "bool"}
            allowed.arrays.add("Shaped")
        elif last == "Callable" or name == "builtins.callable":
            allowed.types["Callable"] = CALLABLE
        elif last == "Literal" and (text := _format_literal(one.parts)):
            allowed.types["Literal"] = text
        elif name in _CONTAINERS and (container := self._container(one, depth)):
            allowed.types[_CONTAINERS[name]] = container
        elif (known := self._known(name)) is not None:
            allowed.types[name] = known
        else:
            allowed.is_any = True

    def _container(self, one: AnnotatedType, depth: int) -> str:
        """Return a tuple, list or dict type if all its parts are understood; otherwise empty."""
        types: list[str] = []
        for part in one.parts if depth < _DEPTH_MAX else ():
            if isinstance(part, ast.Constant) and part.value is Ellipsis:
                types.append("...")
                continue
            members = self.members(one.module, part, depth + 1)
            if members.is_any:
                return ""
            types.append(members.type())
        return f"{_CONTAINERS[one.name]}[{', '.join(types)}]" if types else ""


def _format_literal(parts: Sequence[ast.expr]) -> str:
    """Return `Literal[...]` of plain values; empty for other values."""
    if all(
        isinstance(part, ast.Constant) and isinstance(part.value, str | int | bool | None)
        for part in parts
    ):
        return f"{mark_name('typing', 'Literal')}[{', '.join(ast.unparse(part) for part in parts)}]"
    return ""


def observed_members(seen: Iterable[str], known: TypeOfClass) -> AllowedTypes:
    """Return the observed types, in the format of a recording: see `observe/recorder.py`."""
    allowed = AllowedTypes()
    for one in seen:
        kind, _, rest = one.partition(" ")
        if kind in _SCALARS:
            allowed.scalars.add(kind)
        elif kind == "None":
            allowed.has_none = True
        elif kind == "array":
            dtype = rest.split()[0]
            allowed.arrays.add(_dtype_word(dtype))
        elif kind in ("object", "enum") and (type_ := known(rest)) is not None:
            allowed.types[rest] = type_
        elif kind == "function":
            allowed.types["Callable"] = CALLABLE
        elif kind == "identity":
            allowed.types["identity"] = IDENTITY
        else:
            allowed.is_any = True
    return allowed


def written_kinds(expressions: Iterable[ast.expr], annotated: AllowedTypes) -> frozenset[str]:
    """Return the kinds of the literals among these expressions, without annotated containers."""
    kinds: set[str] = set()
    for one in expressions:
        with suppress(ValueError, TypeError, RecursionError, MemoryError):
            kinds.add(kind_of(ast.literal_eval(one)))
    return frozenset(one for one in kinds if one.partition(" ")[0] not in annotated.types)


def _dtype_word(dtype: str) -> str:
    """Return the language word for a dtype, "f32"; otherwise `Shaped`, which allows any dtype."""
    short = {"float": "f", "int": "i", "uint": "u"}
    head = dtype.rstrip("0123456789")
    if head in short and dtype[len(head) :] in ("8", "16", "32", "64"):
        return short[head] + dtype[len(head) :]
    return {"bool": "Bool", "bfloat16": "bf16"}.get(dtype, "Shaped")


def dynamic_type(annotated: AllowedTypes, seen: frozenset[str] | None, known: TypeOfClass) -> str:
    """Return the type of a dynamic field."""
    if seen is None:
        return _lenient_type(annotated)
    if _keeps_all(annotated, seen, known):
        return annotated.type()
    allowed = observed_members(seen, known)
    if allowed.is_any or annotated.is_any or allowed.scalars & {"str", "bytes"}:
        return ANY
    if any(one.startswith(("function", "identity", "enum")) for one in seen):
        return ANY
    is_weak = any(one.startswith("array") and one.split()[2] == "weak" for one in seen)
    has_generic = any(one.startswith("array") and one.split()[3] == "generic" for one in seen)
    allowed.scalars |= annotated.scalars & {*_NUMBERS}
    if is_weak or allowed.scalars:
        # Numbers must stay numbers, and weak arrays weak. A NumPy scalar would become a Python
        # number.
        has_ranks = any(one.startswith("array") and one.split()[4] != "0" for one in seen)
        if has_generic or has_ranks or allowed.types or annotated.types:
            return ANY
        allowed.scalars |= {_number_type(one) for one in seen if one.startswith("array")}
        allowed.arrays.clear()
        allowed.has_none |= annotated.has_none
        return allowed.type()
    allowed.add(annotated)
    if allowed.types and allowed.arrays:
        return ANY
    if any(name in allowed.types for name in ("Callable", "Literal", *_CONTAINERS.values())):
        return ANY
    return allowed.type()


def _keeps_all(annotated: AllowedTypes, seen: frozenset[str], known: TypeOfClass) -> bool:
    """Return whether an annotation has only containers that keep all observed values unchanged."""
    others = annotated.scalars or annotated.arrays or annotated.is_any
    if others or not annotated.types or annotated.types.keys() - {*_CONTAINERS.values()}:
        return False
    return all(
        annotated.has_none
        if one == "None"
        else _keeps_value(one, annotated.types.get(one.partition(" ")[0], ""), known)
        for one in seen
    )


def _keeps_value(kind: str, text: str, known: TypeOfClass, *, has_numbers: bool = False) -> bool:
    """Return whether a container type keeps a value of this kind unchanged.

    Objects and strong JAX arrays stay unchanged. A number or weak array in a dynamic field may
    change.
    """
    word, _, rest = kind.partition(" ")
    match word:
        case "array":
            _, strength, library, _ = rest.split()
            return (strength, library) == ("strong", "jax") and mark_name(_SCHEMA, "Shaped") in text
        case "object":
            type_ = known(rest)
            return type_ is not None and type_ in text
        case "tuple" | "list" | "dict":
            inner = json.decode(rest, type=list[str])
            return f"{word}[" in text and all(
                _keeps_value(one, text, known, has_numbers=has_numbers) for one in inner
            )
        case _ if word in (*_SCALARS, "None"):
            is_listed = re.search(rf"\b{word}\b", text) is not None
            return is_listed and (has_numbers or word == "None")
        case _:
            return False


def _number_type(array: str) -> str:
    dtype = array.split()[1]
    kinds = {"f": "float", "b": "float", "i": "int", "u": "int", "c": "complex"}
    return "bool" if dtype == "bool" else kinds.get(dtype[0], "float")


def unobserved_type(role: str, annotated: AllowedTypes) -> str:
    """Return the type of a field without a value in the observed objects: its annotation."""
    allowed = AllowedTypes()
    allowed.add(annotated)
    if "float" in allowed.scalars:
        allowed.scalars.add("int")  # type checkers accept an int as a float, and a bool as an int
    if "int" in allowed.scalars:
        allowed.scalars.add("bool")
    if role == "static" and "Callable" in allowed.types:
        return _identity_type(allowed)
    if role == "static":
        return ANY if allowed.types.keys() & {"list", "dict"} else allowed.type()
    return ANY if _is_converted(annotated) else allowed.type()


def _identity_type(allowed: AllowedTypes) -> str:
    """Return the type of a static callable that nothing restricts: it accepts lambdas too."""
    return f"{IDENTITY} | None" if allowed.has_none else IDENTITY


def _is_converted(annotated: AllowedTypes) -> bool:
    """Return whether a dynamic field of this type would convert some of its values."""
    others = any("." not in name for name in annotated.types)
    # Numbers in a union with arrays would become arrays.
    mixed = bool(annotated.types) + bool(annotated.scalars) + bool(annotated.arrays) > 1
    return annotated.is_any or others or mixed or bool(annotated.scalars & {"str", "bytes"})


def _lenient_type(annotated: AllowedTypes) -> str:
    """Return a type for an unobserved field. It allows values found despite such annotations."""
    if _is_converted(annotated):
        return ANY
    allowed = AllowedTypes()
    allowed.add(annotated)
    allowed.has_none = True
    if allowed.arrays:
        allowed.scalars = {"float"}
    elif allowed.scalars:
        allowed.scalars |= {"int", "float", "bool"}
    return allowed.type()


def static_type(annotated: AllowedTypes, seen: frozenset[str] | None, known: TypeOfClass) -> str:
    """Return the type of a static field."""
    allowed = AllowedTypes()
    allowed.add(annotated)
    allowed.is_any |= not allowed.types.keys().isdisjoint(("list", "dict"))
    if "float" in allowed.scalars:
        # An int given to a float field must stay an int: it is a different program.
        allowed.scalars.add("int")
    if seen is None:
        if "Callable" in allowed.types:
            return _identity_type(annotated)
        allowed.has_none |= bool(allowed.scalars)
        return allowed.type() if not allowed.is_any else ANY
    if any("identity " in one for one in seen):  # also in a tuple
        return f"{IDENTITY} | None" if annotated.has_none or "None" in seen else IDENTITY
    tuples = {one for one in seen if one.startswith("tuple ")}
    text = annotated.types.get("tuple", "")
    if all(_keeps_value(one, text, known, has_numbers=True) for one in tuples):
        seen -= tuples
    observed = observed_members(seen, known)
    if observed.is_any or observed.arrays:
        return ANY
    allowed.add(observed)
    return ANY if allowed.is_any else allowed.type()
