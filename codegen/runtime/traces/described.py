"""What a call is traced for, by paths.

    describe(call)["argument", "plate.u"]
    # Array((64, 64), float32, False, sharding, False, ("nx", "ny"))

A description holds no argument: of values, what tells them apart is a hash, and a text.
"""

import dataclasses
import inspect
import os
import types
import typing
from collections.abc import Hashable
from typing import Any, Final, NamedTuple, TypeAlias

import jax
from jax.core import Tracer

from ..classes.trees import parts_of
from ..keys.conversion import statics
from ..keys.messages import flat, short_shape
from ..keys.names import is_generated
from ..leaves import Leaf, map_leaves
from ..shapes.declared import shown_dim
from .calls import Call

_TEXT_MAX: Final = 60
# A longer static table is told from others as a whole.
_PARTS_MAX: Final = 64
# What JAX traces for, or compiles, whatever the arguments.
_CONFIG: Final = (
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_default_prng_impl",
    "jax_threefry_partitionable",
    "jax_random_seed_offset",
    "jax_default_device",
    "jax_debug_nans",
    "jax_debug_infs",
    "jax_debug_key_reuse",
    "jax_disable_jit",
)


@dataclasses.dataclass(frozen=True, slots=True)
class Aspect:
    """What a value is, or something of the context."""

    kind: str
    text: str = dataclasses.field(compare=False)
    # Nothing that is alive.
    exact: Hashable


class Array(NamedTuple):
    """What programs depend on of an array."""

    shape: tuple[int, ...]
    dtype: Any
    is_weak: bool
    # Of what is traced, or a number, these two are not known.
    sharding: Any
    is_committed: bool | None
    # What each axis is called, if it has a name.
    names: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Against what is no array."""
        return "structure"

    @property
    def text(self) -> str:
        """Its dtype and shape."""
        return short_shape(self)


# By where a value is, "argument" or "context", and by its path there.
Description: TypeAlias = dict[tuple[str, str], Aspect | Array]


def describe(call: Call) -> Description:
    """Describe a call: its arguments, and what else JAX compiles for."""
    program, structure = call.program, call.program.structure
    strong = {*structure.strong}
    numbers = structure.pick(range(len(call.leaves)))
    names = _names(program.implementation.run, structure, call.history.parameters)
    arrays = [
        _array(call.leaves[i], names.get(number, ()), is_strong=i in strong)
        for number, i in enumerate(numbers)
    ]
    walk = _Walk({}, arrays)
    for number, name in enumerate(call.history.parameters):
        if number in structure.numbered:
            walk.traced(structure.numbered[number], name)
        else:
            walk.static(structure.statics[number], name)
    context: dict[str, Any] = {name: getattr(jax.config, name, "") for name in _CONFIG}
    context["mesh"] = axes_of(jax.sharding.get_abstract_mesh())
    context["donation"] = "donates" if call.donates else "keeps"
    context["settings.checks"] = program.checks
    for name, value in context.items():
        walk.found["context", name] = Aspect(
            "context", shortened(str(value)), str(value)
        )
    return walk.found


class _Walk(NamedTuple):
    """A walk through the arguments of a call."""

    found: Description
    # By the numbers that stand in their place.
    arrays: list[Array]

    def traced(self, value: Any, path: str) -> None:
        """Describe an argument that has numbers in the place of its leaves."""
        parts = parts_of(value)
        if type(value) is int:
            what: Aspect | Array = self.arrays[value]
        elif is_generated(value):
            what = _class(value)
        elif type(value) is dict:
            what = _structure(f"keys {', '.join(parts)}")
        elif parts or type(value) in (tuple, list):
            what = _structure(f"{type(value).__name__} of {len(parts)}")
        else:
            located, treedef = jax.tree_util.tree_flatten_with_path(value, is_generated)
            what = _structure("None" if value is None else str(treedef))
            parts = {jax.tree_util.keystr(place): part for place, part in located}
        self.found["argument", path] = what
        record = getattr(type(value), "__codegen_record__", None)
        for step, part in parts.items():
            is_static = record is not None and step in record.meta_fields
            (self.static if is_static else self.traced)(part, _joined(path, step))

    def static(self, value: Any, path: str) -> None:
        """Describe a static value, and what it consists of."""
        parts, kind = parts_of(value), type(value)
        if is_generated(value):
            what = _class(value)
        elif 0 < len(parts) <= _PARTS_MAX:
            what = Aspect("static", shortened(flat(value)), (kind.__qualname__, *parts))
        elif callable(value) and not isinstance(value, type):
            what = Aspect("function", _function(value), id(value))
        else:
            what, parts = Aspect("static", shortened(flat(value)), _exact(value)), {}
        self.found["argument", path] = what
        for step, part in parts.items():
            self.static(part, _joined(path, step))


def _array(leaf: Any, names: tuple[str, ...], *, is_strong: bool) -> Array:
    aval: Any = jax.typeof(leaf)
    is_weak = not is_strong and bool(getattr(aval, "weak_type", False))
    is_traced = isinstance(leaf, Tracer)
    sharding = None if is_traced else getattr(leaf, "sharding", None)
    is_committed = None if is_traced else bool(getattr(leaf, "committed", False))
    return Array(aval.shape, aval.dtype, is_weak, sharding, is_committed, names)


def _class(value: Any) -> Aspect:
    kind: Any = type(value)
    return Aspect("class", kind.__qualname__, (kind.__module__, id(kind)))


def _structure(text: str) -> Aspect:
    return Aspect("structure", shortened(text), text)


def _function(value: Any) -> str:
    """Name a function, and say where it stands, since many are called `<lambda>`."""
    code = getattr(value, "__code__", None)
    if code is None:
        return shortened(flat(value))
    place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
    return shortened(f"{value.__qualname__} at {place}")


def _exact(value: Any) -> Hashable:
    if type(value) in (int, float, complex):
        return repr(value)  # -1 and -2 have one hash.
    try:
        return hash(statics.tag(value, "trace", "value")[1])
    except TypeError:  # What only its declared type lets in is compared by identity.
        return id(value)


def axes_of(mesh: Any) -> str:
    """Name the axes of a mesh, with their sizes."""
    return ", ".join(f"{name}: {size}" for name, size in mesh.shape.items()) or "none"


def _joined(path: str, step: str) -> str:
    return path + step if step[:1] in ("", "[", ".") else f"{path}.{step}"


def shortened(text: str) -> str:
    """Return a text in one line, cut as a `repr` is."""
    text = " ".join(text.split())
    return text if len(text) <= _TEXT_MAX else f"{text[: _TEXT_MAX - 3]}..."


# --- names of dimensions


def _names(run: Any, structure: Any, parameters: Any) -> dict[int, tuple[str, ...]]:
    """Return the names of the axes of each array, by the numbers that stand in their place."""
    found: dict[int, tuple[str, ...]] = {}

    def note(leaf: Leaf) -> None:
        if leaf.axes is not None and type(leaf.value) is int:
            found[leaf.value] = tuple(shown_dim(axis.dim) for axis in leaf.axes)

    try:
        declared = inspect.signature(run, eval_str=True).parameters.values()
        hints = [parameter.annotation for parameter in declared]
    except Exception:  # noqa: BLE001  Annotations may be any text, and raise anything.
        hints = [None] * len(parameters)
    for number, value in structure.numbered.items():
        for part in jax.tree_util.tree_leaves(value, is_leaf=is_generated):
            if is_generated(part):
                map_leaves(part, note)
        found |= _annotated(hints[number], value)
    return found


def _annotated(hint: Any, value: Any) -> dict[int, tuple[str, ...]]:
    """Return the names that jaxtyping's annotations have for arrays outside of objects."""
    is_union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    options = typing.get_args(hint) if is_union else (hint,)
    if type(value) is int:
        texts = [one.dim_str for one in options if hasattr(one, "dim_str")]
        return {value: tuple(texts[0].split())} if len(texts) == 1 else {}
    found: dict[int, tuple[str, ...]] = {}
    parts = [*parts_of(value).values()]
    for one in options:
        if typing.get_origin(one) is type(value):
            inner = [each for each in typing.get_args(one) if each is not ...]
            is_fixed = type(value) is tuple and len(inner) == len(parts)
            hints = inner if is_fixed else inner[-1:] * len(parts)
            for pair in zip(hints, parts, strict=True):
                found |= _annotated(*pair)
    return found
