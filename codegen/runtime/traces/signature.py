"""The signature of a call: the facts for which JAX traces it, by paths.

    describe(call)["argument", "plate.u"]
    # (Aspect("structure", "array", "f32[64,64]"), Aspect("shape", (64, 64), "f32[64,64]"), ...)

A description does not keep any argument. It has a hash of each value, which identifies
the value, and a text.
"""

import contextlib
import dataclasses
import functools
import os
import types
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import jax
from jax.core import Tracer

from ..classes.values import parts_by_step
from ..keys.messages import format_line, format_short_shape
from ..keys.names import is_ref
from ..tracing import ProgramCall

_TEXT_MAX: Final = 60
# A longer static table is compared as a whole.
_PARTS_MAX: Final = 64

# JAX lists the states in its cache key, so states of later versions are found, too.
# These are for a JAX without that list.
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
)
# The public names of states that have other names within JAX.
_MESH: Final = "mesh"
_NAMES: Final = {
    "abstract_mesh_context_manager": _MESH,
    "mesh_context_manager": "with mesh",
    "compute_on_context_manager": "compute_on",
    "xla_metadata_context_manager": "set_xla_metadata",
    "axis_env_state": "axis names",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Aspect:
    """One aspect of a value, or a part of the context."""

    kind: str  # The kind of a `Change` of it.
    # Must not keep objects alive.
    exact: Hashable
    text: str = dataclasses.field(compare=False)


# The key is the place of a value, "argument" or "context", and its path there. An array
# has several aspects, as far as they are known: the placement of a traced array is not.
Aspects: TypeAlias = dict[tuple[str, str], tuple[Aspect, ...]]


# --- arguments


def describe_call(call: ProgramCall) -> Aspects:
    """Describe a call: its arguments, and the context for which JAX compiles, as far as
    possible.
    """
    try:
        return _arguments(call) | _contexts(call)
    except Exception:  # noqa: BLE001  An odd argument must not end the call.
        return {}


def _arguments(call: ProgramCall) -> Aspects:
    structure = call.program.structure
    strong = {*structure.strong}
    leaves = enumerate(call.leaves)
    # By the numbers that replace them in the structure.
    arrays = structure.pick([_array(x, is_strong=i in strong) for i, x in leaves])
    all_aspects: Aspects = {}

    def note(value: Any, path: str, *, is_static: bool) -> None:
        """Describe a value and its parts."""
        parts, kind = parts_by_step(value), type(value)
        record = getattr(kind, "__codegen_record__", None)
        if kind is int and not is_static:
            aspects = arrays[value]
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
        all_aspects["argument", path] = aspects
        for step, part in parts.items():
            name = path + step if step[:1] in ("", "[", ".") else f"{path}.{step}"
            below = is_static or (record is not None and step in record.meta_fields)
            note(part, name, is_static=below)

    for number, name in enumerate(call.history.parameters):
        is_static = number not in structure.numbered
        values = structure.statics if is_static else structure.numbered
        note(values[number], name, is_static=is_static)
    return all_aspects


def _class_text(kind: Any) -> str:
    """Format a class with its parameters: after a reload they may be in another order."""
    parameters = ", ".join(kind.__codegen_record__.parameters)
    return f"{kind.__qualname__}[{parameters}]" if parameters else kind.__qualname__


def _static(value: object, parts: dict[str, Any]) -> Aspect:
    """Describe a static value that is not an object, and has these parts."""
    if callable(value) and not isinstance(value, type):
        return Aspect("function", id(value), _format_static(value))
    if parts:
        return Aspect(
            "static", (type(value).__qualname__, *parts), _format_static(value)
        )
    from ..statics.tagging import as_static

    try:
        exact = _digest(as_static(value, "trace", "value")[1])
    except TypeError:  # A value without a tag is compared by identity.
        exact = id(value)
    return Aspect("static", exact, _format_static(value))


def _array(leaf: object, *, is_strong: bool) -> tuple[Aspect, ...]:
    aval: Any = jax.typeof(leaf)
    is_weak = not is_strong and bool(getattr(aval, "weak_type", False))
    where: list[Any] = [None, None]
    if not isinstance(leaf, Tracer):
        is_committed = bool(getattr(leaf, "committed", False))
        where = [is_committed, getattr(leaf, "sharding", None)]
    kind = "Ref" if is_ref(leaf) else "array"
    return _aspects(kind, aval.shape, aval.dtype, is_weak, *where)


@functools.lru_cache(1024)  # Similar arrays share their aspects.
def _aspects(
    kind: str,
    shape: tuple[int, ...],
    dtype: object,
    is_weak: bool,
    is_committed: Any,
    sharding: object,
) -> tuple[Aspect, ...]:
    """Return the aspects of an array on which programs depend; the last two if they are
    known.
    """
    text = format_short_shape(types.SimpleNamespace(shape=shape, dtype=dtype))
    committed = "committed" if is_committed else "uncommitted"
    aspects = (
        Aspect("structure", kind, text if kind == "array" else f"{kind} {text}"),
        Aspect("shape", shape, text),
        Aspect("dtype", dtype, text.partition("[")[0]),
        Aspect("weak type", is_weak, f"weak {text}" if is_weak else text),
        Aspect("committed", is_committed, committed),
        Aspect("sharding", sharding, _sharding(sharding)),
    )
    return tuple(each for each in aspects if each.exact is not None)


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


def _sharding(sharding: Any) -> str:
    if isinstance(sharding, jax.sharding.NamedSharding):
        return _shorten(f"{sharding.spec} on {_mesh_text(sharding.mesh)}")
    devices = [] if sharding is None else [str(one) for one in sharding.device_set]
    return _shorten(", ".join(sorted(devices)))


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


# --- settings and contexts


def _contexts(call: ProgramCall) -> Aspects:
    """Describe each setting and context of JAX, and of this package."""
    states: dict[str, Any] = {name: getattr(jax.config, name, "") for name in _CONFIG}
    states |= _jax_states()
    contexts = {name: (_exact(one), _context_text(one)) for name, one in states.items()}
    axes, placed = jax.sharding.get_abstract_mesh(), states.get(_MESH)
    text = (_mesh_text(axes) or "none") + _devices(placed)
    contexts[_MESH] = (_exact((axes, placed)), text)
    ours = {
        "donation": "donates" if call.key.donates else "keeps",
        "settings.checks": str(call.program.shapes is not None),
    }
    contexts |= {name: (text, text) for name, text in ours.items()}
    return {
        ("context", name): _context(exact, _shorten(text))
        for name, (exact, text) in contexts.items()
    }


def absent_contexts(aspects: Aspects) -> Aspects:
    """Return the contexts of a call, as of a call before JAX had them."""
    return {
        place: _context(None, "not set") for place in aspects if place[0] == "context"
    }


@functools.lru_cache(1024)  # Most calls share their states.
def _context(exact: Hashable, text: str) -> tuple[Aspect]:
    return (Aspect("context", exact, text),)


def _jax_states() -> dict[str, Any]:
    """Return the states in JAX's program key, and the mesh of devices."""
    settings = dict[str, Any]()
    # None of this is public in JAX.
    with contextlib.suppress(Exception):
        from jax._src import config
        from jax._src.mesh import get_concrete_mesh

        placed = get_concrete_mesh()
        names, values = config.trace_context_names(), config.trace_context()
        states = [*zip(names, values, strict=True)]
        for number, (name, value) in enumerate(states):
            shown = str(_NAMES.get(name, name))
            # Each `jax.make_user_context` has the same name.
            settings[f"{shown} {number}" if shown in settings else shown] = value
        settings[_MESH] = placed
    return settings


def _exact(value: object) -> Hashable:
    """Return the identity of a value in a cache key, without keeping the value alive."""
    items = () if (table := _table(value)) is None else tuple(table.items())
    return type(value).__qualname__, _digest(value), _digest(items)


def _context_text(value: object) -> str:
    table = _table(value)
    if table is not None:
        return _format_list(f"{name}: {one}" for name, one in table.items()) or "none"
    if isinstance(value, tuple):
        return _format_list(map(_context_text, value)) or "none"
    if isinstance(value, jax.sharding.Mesh):
        return _mesh_text(value) + _devices(value)
    return str(value)


def _table(value: object) -> Mapping[Any, Any] | None:
    """Return the table behind a value without a text of its own, if there is one."""
    kind: Any = type(value)
    if kind.__repr__ is not object.__repr__:
        return None
    names = getattr(kind, "__slots__", ()) or vars(value)
    held = (getattr(value, name, None) for name in names)
    return next((one for one in held if isinstance(one, Mapping)), None)


def _mesh_text(mesh: Any) -> str:
    """Format the axes of a mesh. Example: "rows: 2, cols: 4 Explicit"."""
    kinds = [kind.name.replace("Auto", "") for kind in mesh.axis_types or ()]
    kinds += [""] * (len(mesh.shape) - len(kinds))
    axes = zip(mesh.shape.items(), kinds, strict=False)
    return ", ".join(f"{name}: {n} {kind}".rstrip() for (name, n), kind in axes)


def _devices(mesh: Any) -> str:
    if mesh is None or mesh.empty:
        return ""
    return f" on devices {_format_list(device.id for device in mesh.devices.flat)}"


def _format_list(items: Iterable[Any]) -> str:
    return ", ".join(map(str, items))
