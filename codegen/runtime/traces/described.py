"""What a call is traced for, by paths and as text, and in what two calls differ.

    one, other = describe(call), describe(later)
    find_changes(one, other)
    # [Change("plate.u", "f32[64,64]", "f32[128,64]", "shape", "nx: 64 -> 128")]

A description holds no argument: of values, what tells them apart is a hash, and the text.
"""

import dataclasses
import os
from collections.abc import Hashable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import jax
from jax.core import Tracer

from ..classes.trees import parts_of
from ..keys.conversion import statics
from ..keys.messages import flat, short_shape
from ..keys.names import is_generated
from ..leaves import Leaf, map_leaves
from .calls import Call

_TEXT_MAX: Final = 60
# What JAX traces for, or compiles, whatever the arguments.
_CONFIG: Final = (
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_default_prng_impl",
    "jax_threefry_partitionable",
    "jax_default_device",
    "jax_debug_nans",
    "jax_debug_infs",
    "jax_debug_key_reuse",
    "jax_enable_checks",
    "jax_disable_jit",
)


# What is said of a value in a mixture of kinds, the first that one of them is.
_KINDS: Final = ("function", "static", "structure")


class Aspect(NamedTuple):
    """Something of a value that programs depend on."""

    kind: str
    text: str
    # Compared: nothing that is alive. None: not known.
    exact: Hashable
    # The names of an array's dimensions.
    dims: tuple[str, ...] = ()


# By path: what a value is, and then, of an array, what else there is to say. An argument
# may be called as something of the context is: that has True in front of its name.
Description: TypeAlias = dict[tuple[bool, str], tuple[Aspect, ...]]


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """In what a call differs from an earlier program."""

    path: str  # Example: "plate.thickness"
    before: str
    after: str
    # "static", "function", "class", "shape", "dtype", "weak type", "sharding",
    # "committed", "structure" or "context"
    kind: str
    # What is printed in place of the kind, if there is more to say.
    detail: str = ""


def describe(call: Call) -> Description:
    """Describe a call: its arguments, and what else JAX compiles for."""
    structure = call.program.structure
    found = Description()
    dims: dict[int, tuple[str, ...]] = {}

    def note(leaf: Leaf) -> None:
        if leaf.axes is not None and type(leaf.value) is int:
            dims[leaf.value] = tuple([str(axis.dim) for axis in leaf.axes])

    values = [*structure.numbered.values()]
    for value in jax.tree_util.tree_leaves(values, is_leaf=is_generated):
        if is_generated(value):
            map_leaves(value, note)
    positions = structure.pick(range(len(call.leaves)))
    for number, name in enumerate(call.history.parameters):
        if number not in structure.numbered:
            for path, head in _heads(structure.statics[number], name):
                found[False, path] = (head,)
            continue
        for path, aspect in _values(structure.numbered[number], name):
            if isinstance(aspect, Aspect):
                found[False, path] = (aspect,)
                continue
            position = positions[aspect]
            leaf, is_strong = call.leaves[position], position in structure.strong
            found[False, path] = _array(leaf, dims.get(aspect, ()), is_strong=is_strong)
    context = {name: getattr(jax.config, name, None) for name in _CONFIG}
    context["mesh"] = jax.sharding.get_abstract_mesh()
    context["donation"] = "donates" if call.donates else "keeps"
    context["settings.checks"] = call.program.checks
    for name, value in context.items():
        found[True, name] = (Aspect("context", _cut(str(value)), str(value)),)
    return found


def _values(value: Any, path: str) -> Iterator[tuple[str, Aspect | int]]:
    """Describe an argument that has numbers in the place of its leaves."""
    if type(value) is int:
        yield path, value
    elif is_generated(value):
        record = type(value).__codegen_record__
        yield path, _class(value)
        for step, part in parts_of(value).items():
            is_static = step in record.meta_fields
            below = f"{path}.{step}"
            yield from _heads(part, below) if is_static else _values(part, below)
    elif value is None or type(value) in (tuple, list, dict) or parts_of(value):
        parts, kind = parts_of(value), type(value).__name__
        keys = (
            f"keys {', '.join(parts)}" if kind == "dict" else f"{kind} of {len(parts)}"
        )
        yield path, Aspect("structure", _cut("None" if value is None else keys), keys)
        for step, part in parts.items():
            yield from _values(part, _joined(path, step))
    else:
        located, treedef = jax.tree_util.tree_flatten_with_path(value, is_generated)
        yield path, Aspect("structure", _cut(str(treedef)), str(treedef))
        for place, part in located:
            yield from _values(part, path + jax.tree_util.keystr(place))


def _heads(value: Any, path: str) -> Iterator[tuple[str, Aspect]]:
    """Describe a static value, and what it consists of."""
    parts = parts_of(value)
    if is_generated(value):
        yield path, _class(value)
    elif parts:
        kind: Any = type(value)
        yield path, Aspect("static", _cut(flat(value)), (kind.__qualname__, *parts))
    elif callable(value) and not isinstance(value, type):
        yield path, Aspect("function", _function(value), id(value))
    else:
        yield path, Aspect("static", _cut(flat(value)), _hash(value))
    for step, part in parts.items():
        yield from _heads(part, _joined(path, step))


def _array(leaf: Any, dims: tuple[str, ...], *, is_strong: bool) -> tuple[Aspect, ...]:
    aval: Any = jax.typeof(leaf)
    text = short_shape(aval)
    is_weak = not is_strong and bool(getattr(aval, "weak_type", False))
    # Of what is traced, or a number, it is not known.
    is_traced = isinstance(leaf, Tracer)
    sharding = None if is_traced else getattr(leaf, "sharding", None)
    committed = None if is_traced else bool(getattr(leaf, "committed", False))
    return (
        Aspect("structure", text, "array"),
        Aspect("shape", text, aval.shape, dims),
        Aspect("dtype", text.partition("[")[0], str(aval.dtype)),
        Aspect("weak type", f"weak {text}" if is_weak else text, is_weak),
        Aspect("sharding", _sharding(sharding), sharding and hash(sharding)),
        Aspect("committed", "committed" if committed else "uncommitted", committed),
    )


def _class(value: Any) -> Aspect:
    kind: Any = type(value)
    return Aspect("class", kind.__qualname__, (kind.__module__, id(kind)))


def _function(value: Any) -> str:
    """Name a function, and say where it stands, since many are called `<lambda>`."""
    code = getattr(value, "__code__", None)
    if code is None:
        return _cut(flat(value))
    place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
    return _cut(f"{value.__qualname__} at {place}")


def _sharding(sharding: Any) -> str:
    if isinstance(sharding, jax.sharding.NamedSharding):
        axes = ", ".join(f"{name}: {n}" for name, n in sharding.mesh.shape.items())
        return _cut(f"{sharding.spec} on {axes}")
    devices = [] if sharding is None else [str(one) for one in sharding.device_set]
    return _cut(", ".join(sorted(devices)))


def _hash(value: Any) -> Hashable:
    try:
        return hash(statics.tag(value, "trace", "value")[1])
    except TypeError:  # What only its declared type lets in is compared by identity.
        return id(value)


def _joined(path: str, step: str) -> str:
    return path + step if step[0] == "[" else f"{path}.{step}"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _TEXT_MAX else f"{text[: _TEXT_MAX - 3]}..."


# --- differences


def find_changes(before: Description, after: Description) -> list[Change]:
    """Return all in which two descriptions differ."""
    found: list[Change] = []
    for key, (head, *rest) in after.items():
        # What is not in both is within what differs.
        first, *others = before.get(key, (head,))
        path = key[1]
        if (first.kind, first.exact) != (head.kind, head.exact):
            found.append(_change(path, first, head))
        else:
            pairs = zip(others, rest, strict=False)
            found += [_change(path, *pair) for pair in pairs if _differ(*pair)]
    wide = [c for c in found if c.path == "jax_enable_x64"]
    if wide and any(change.kind == "dtype" for change in found):
        # Said beside what it has changed.
        was = "on" if wide[0].before == "True" else "off"
        detail = f"dtype (jax_enable_x64 was {was})"
        found = [
            dataclasses.replace(c, detail=detail) if c.kind == "dtype" else c
            for c in found
        ]
    return found


def _differ(one: Aspect, other: Aspect) -> bool:
    return one.exact != other.exact and None not in (one.exact, other.exact)


def _change(path: str, before: Aspect, after: Aspect) -> Change:
    kinds = {before.kind, after.kind}
    kind = after.kind
    if len(kinds) > 1:
        kind = next(one for one in _KINDS if one in kinds)
    detail = ""
    if kind == "shape":
        old: Any = before.exact
        new: Any = after.exact
        sizes = zip(after.dims, old, new, strict=False)
        detail = ", ".join(
            f"{name}: {one} -> {two}" for name, one, two in sizes if one != two
        )
    elif before.text == after.text:
        detail = f"{kind} (another one)"
    return Change(path, before.text, after.text, kind, detail)
