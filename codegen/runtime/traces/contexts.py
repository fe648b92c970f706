"""What JAX traces and compiles for besides the arguments: its settings and contexts.

    context_values()["jax_enable_x64"]      # (("bool", 8316438), "False")

JAX names the states that are part of its cache key, so those of later versions are here
too. A JAX that does not name them has the settings below.
"""

import contextlib
import importlib
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Final

import jax

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
# What users call the states that have other names within JAX.
_MESH: Final = "mesh"
_NAMES: Final = {
    "abstract_mesh_context_manager": _MESH,
    "mesh_context_manager": "with mesh",
    "compute_on_context_manager": "compute_on",
    "xla_metadata_context_manager": "set_xla_metadata",
    "axis_env_state": "axis names",
}


def context_values() -> dict[str, tuple[Hashable, str]]:
    """Return what tells each setting and context apart, and its text."""
    found: dict[str, Any] = {name: getattr(jax.config, name, "") for name in _CONFIG}
    found |= _jax_states()
    values = {name: (_exact(value), _text(value)) for name, value in found.items()}
    axes, placed = jax.sharding.get_abstract_mesh(), found.get(_MESH)
    text = (mesh_text(axes) or "none") + _devices(placed)
    return values | {_MESH: (_exact((axes, placed)), text)}


def _jax_states() -> dict[str, Any]:
    """Return the states that JAX looks for programs by, and the mesh of devices."""
    found = dict[str, Any]()
    # None of it is of JAX's public interface.
    with contextlib.suppress(Exception):
        placed = importlib.import_module("jax._src.mesh").get_concrete_mesh()
        config = importlib.import_module("jax._src.config")
        names, values = config.trace_context_names(), config.trace_context()
        states = [*zip(names, values, strict=True)]
        for number, (name, value) in enumerate(states):
            shown = str(_NAMES.get(name, name))
            # Each `jax.make_user_context` has the same name.
            found[f"{shown} {number}" if shown in found else shown] = value
        found[_MESH] = placed
    return found


def digest(value: Any) -> int:
    """Hash a value: for Python itself the hash of -1 is that of -2."""
    if isinstance(value, tuple):
        return hash(tuple(map(digest, value)))
    if isinstance(value, frozenset):
        return hash(frozenset(map(digest, value)))
    return hash(repr(value) if isinstance(value, int | float | complex) else value)


def mesh_text(mesh: Any) -> str:
    """Show the axes of a mesh. Example: "rows: 2, cols: 4 Explicit"."""
    kinds = [kind.name.replace("Auto", "") for kind in mesh.axis_types or ()]
    kinds += [""] * (len(mesh.shape) - len(kinds))
    axes = zip(mesh.shape.items(), kinds, strict=False)
    return ", ".join(f"{name}: {n} {kind}".rstrip() for (name, n), kind in axes)


def _exact(value: Any) -> Hashable:
    """Return what stands for a value that is part of a cache key, and holds none of it."""
    items = () if (table := _table(value)) is None else tuple(table.items())
    return type(value).__qualname__, digest(value), digest(items)


def _text(value: Any) -> str:
    table = _table(value)
    if table is not None:
        return _listed(f"{name}: {one}" for name, one in table.items()) or "none"
    if isinstance(value, tuple):
        return _listed(map(_text, value)) or "none"
    if isinstance(value, jax.sharding.Mesh):
        return mesh_text(value) + _devices(value)
    return str(value)


def _table(value: Any) -> Mapping[Any, Any] | None:
    """Return the table that a value without a text of its own is about, if there is one."""
    kind: Any = type(value)
    if kind.__repr__ is not object.__repr__:
        return None
    names = getattr(kind, "__slots__", ()) or vars(value)
    held = (getattr(value, name, None) for name in names)
    return next((one for one in held if isinstance(one, Mapping)), None)


def _devices(mesh: Any) -> str:
    if mesh is None or mesh.empty:
        return ""
    return f" on devices {_listed(device.id for device in mesh.devices.flat)}"


def _listed(items: Iterable[Any]) -> str:
    return ", ".join(map(str, items))
