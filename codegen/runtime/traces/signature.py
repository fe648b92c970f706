"""The signature of a call: the facts for which JAX traces it, by paths.

    describe_call(call)["plate.u"]
    # (Aspect("structure", "array", "f32[64,64]"), Aspect("shape", (64, 64), "f32[64,64]"), ...)

A description does not keep any argument. It has a hash of each value, which identifies
the value, and a text.
"""

import contextlib
import dataclasses
import inspect
import os
import typing
from collections.abc import Hashable
from typing import Any, Final, TypeAlias

import jax
from jax.core import Tracer
from jax.sharding import AbstractMesh, Mesh, Sharding

from ..classes.values import parts_by_step
from ..declared import CONTAINERS
from ..keys.messages import format_line, format_short_shape
from ..keys.names import is_ref
from ..shapes.dimensions import format_dim
from ..tracing import Call

_TEXT_MAX: Final = 60
# A longer static table is compared as a whole.
_PARTS_MAX: Final = 64


@dataclasses.dataclass(frozen=True, slots=True)
class Aspect:
    """One aspect of a value."""

    kind: str  # The kind of a `Change` of it.
    # Must not keep objects alive.
    exact: Hashable
    text: str = dataclasses.field(compare=False)
    # The names of the axes, for a shape.
    axes: tuple[str, ...] = dataclasses.field(default=(), compare=False)


# By the path of a value. An array has several aspects, as far as they are known: the
# placement of a traced array is not.
Aspects: TypeAlias = dict[str, tuple[Aspect, ...]]


def describe_call(call: Call) -> Aspects:
    """Describe the arguments of a call, as far as possible."""
    try:
        return _arguments(call)
    except Exception:  # noqa: BLE001  An odd argument must not end the call.
        return {}


def _arguments(call: Call) -> Aspects:
    structure = call.program.structure
    # By the numbers that replace them in the structure.
    arrays = structure.pick([*call.donated, *call.kept])
    names = _axis_names(call)
    all_aspects: Aspects = {}

    def note(value: Any, path: str, *, is_static: bool) -> None:
        """Describe a value and its parts."""
        parts, kind = parts_by_step(value), type(value)
        record = getattr(kind, "__codegen_record__", None)
        if kind is int and not is_static:
            aspects = _array(arrays[value], names.get(value, ()))
        elif record is not None:
            aspects = (Aspect("class", id(kind), _class_text(kind)),)
        elif is_static:
            # A value with fewer parts differs in these.
            parts = parts if len(parts) <= _PARTS_MAX else {}
            aspects = (_static(value, parts),)
        else:
            flatten = jax.tree_util.tree_flatten_with_path
            located, treedef = flatten(value, is_leaf=lambda part: part is not value)
            parts = {jax.tree_util.keystr(place): part for place, part in located}
            text = str(treedef).removeprefix("PyTreeDef(").removesuffix(")")
            if kind in (tuple, list):
                text = f"{kind.__name__} of {len(parts)}"
            aspects = (Aspect("structure", text, _shorten(text)),)
        all_aspects[path] = aspects
        for step, part in parts.items():
            name = path + step if step[:1] in ("", "[", ".") else f"{path}.{step}"
            below = is_static or (record is not None and step in record.meta_fields)
            note(part, name, is_static=below)

    for number, name in enumerate(structure.parameters.all):
        is_static = number not in structure.numbered
        values = structure.statics if is_static else structure.numbered
        note(values[number], name, is_static=is_static)
    return all_aspects


def _class_text(kind: type[Any]) -> str:
    """Format a class with its parameters: after a reload they may be in another order."""
    parameters = ", ".join(kind.__codegen_record__.parameters)
    return f"{kind.__qualname__}[{parameters}]" if parameters else kind.__qualname__


def _static(value: object, parts: dict[str, Any]) -> Aspect:
    """Describe a static value that is not an object, and has these parts."""
    text = _format_static(value)
    if callable(value) and not isinstance(value, type):
        return Aspect("function", id(value), text)
    if parts:
        return Aspect("static", (type(value).__qualname__, *parts), text)
    from ..statics.tagging import as_static

    try:
        exact = _digest(as_static(value, "trace", "value")[1])
    except TypeError:  # A value without a tag is compared by identity.
        exact = id(value)
    return Aspect("static", exact, text)


def _array(leaf: object, axes: tuple[str, ...]) -> tuple[Aspect, ...]:
    """Return the aspects of an array on which programs depend; of a traced one, the
    placement is not known.
    """
    aval: Any = jax.typeof(leaf)
    text, is_weak = format_short_shape(aval), bool(getattr(aval, "weak_type", False))
    kind = "Ref" if is_ref(leaf) else "array"
    aspects: tuple[Aspect, ...] = (
        Aspect("structure", kind, text if kind == "array" else f"{kind} {text}"),
        Aspect("shape", aval.shape, text, axes),
        Aspect("dtype", aval.dtype, text.partition("[")[0]),
        Aspect("weak type", is_weak, f"weak {text}" if is_weak else text),
    )
    if isinstance(leaf, Tracer):
        return aspects
    is_committed = getattr(leaf, "committed", False)
    text = "committed" if is_committed else "uncommitted"
    aspects = (*aspects, Aspect("committed", is_committed, text))
    sharding = getattr(leaf, "sharding", None)
    if sharding is None:
        return aspects
    return (*aspects, Aspect("sharding", sharding, _sharding(sharding)))


def _format_static(value: Any) -> str:
    """Format a static value; a function with its place, as many are called `<lambda>`."""
    try:
        code = getattr(value, "__code__", None)
        if code is None:
            return _shorten(format_line(value))
        place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
        return _shorten(f"{value.__qualname__} at {place}")
    except Exception:  # noqa: BLE001  A broken repr must not hide the rest.
        return f"<{type(value).__qualname__}>"


def _sharding(sharding: Sharding) -> str:
    if isinstance(sharding, jax.sharding.NamedSharding):
        return _shorten(f"{sharding.spec} on {_mesh_text(sharding.mesh)}")
    return _shorten(", ".join(sorted(map(str, sharding.device_set))))


def _shorten(text: str) -> str:
    """Return a text in one line, cut like a `repr`."""
    text = " ".join(text.split())
    return text if len(text) <= _TEXT_MAX else f"{text[: _TEXT_MAX - 3]}..."


def _digest(value: object) -> int:
    """Hash a value. Python's own hash of -1 equals that of -2."""
    if isinstance(value, tuple):
        return hash(tuple(map(_digest, value)))
    if isinstance(value, frozenset):
        return hash(frozenset(map(_digest, value)))
    return hash(repr(value) if isinstance(value, int | float | complex) else value)


def _mesh_text(mesh: Mesh | AbstractMesh) -> str:
    """Format the axes of a mesh. Example: "rows: 2, cols: 4 Explicit"."""
    kinds = [kind.name.replace("Auto", "") for kind in mesh.axis_types or ()]
    kinds += [""] * (len(mesh.shape) - len(kinds))
    axes = zip(mesh.shape.items(), kinds, strict=False)
    return ", ".join(f"{name}: {n} {kind}".rstrip() for (name, n), kind in axes)


# --- names of dimensions


def _axis_names(call: Call) -> dict[int, tuple[str, ...]]:
    """Return the names of the axes of each declared array, by its number."""
    structure = call.program.structure
    if structure.parameters.types:
        leaves = structure.declared.items()
        return {
            n: tuple(format_dim(axis.dim) for axis in x.axes or ()) for n, x in leaves
        }
    names: dict[int, tuple[str, ...]] = {}
    # Annotations may be any text, and raise any error.
    with contextlib.suppress(Exception):
        run = inspect.signature(call.program.implementation.run, eval_str=True)
        hints = [parameter.annotation for parameter in run.parameters.values()]
        for number, value in structure.numbered.items():
            names |= _annotated(hints[number], value)
    return names


def _annotated(hint: Any, value: Any) -> dict[int, tuple[str, ...]]:
    """Return the axis names in jaxtyping's annotations of a function outside schemas."""
    kind, inner = type(value), [x for x in typing.get_args(hint) if x is not ...]
    if kind is int:
        texts = [one.dim_str for one in (hint, *inner) if hasattr(one, "dim_str")]
        return {value: tuple(texts[0].split())} if len(texts) == 1 else {}
    if typing.get_origin(hint) is not kind or kind not in CONTAINERS:
        return {}
    parts = parts_by_step(value).values()
    hints = inner if len(inner) == len(parts) else inner[-1:] * len(parts)
    found = (_annotated(*pair) for pair in zip(hints, parts, strict=True))
    return {leaf: names for each in found for leaf, names in each.items()}
