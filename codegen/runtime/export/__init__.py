"""Export of functions of a schema by `jax.export`: programs that run without their
source.

    exported = export(step, plate, dt, platforms=["cpu", "cuda"])
    data = exported.serialize()

    register_for_export()                       # in another process, after the imports
    plate = jax.export.deserialize(data).call(plate, dt)

Objects are arguments and results, as usual. Static values are written as the canonical
text of a checkpoint, and nothing is unpickled.
"""

import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import jax
from jax import export as jax_export

from ..checkpoint.documents import (
    FORMAT,
    CheckpointError,
    format_document,
    parse_document,
)
from ..checkpoint.packing import Packing
from ..checkpoint.reading import SavedPlace
from ..checkpoint.schemas import Package, concrete
from ..checkpoint.unpacking import Unpacking
from ..classes.registration import GeneratedClass
from ..keys.interning import TraceKey
from ..keys.names import is_generated, is_ref
from ..mesh.fingerprints import format_static
from ..sharing import HOLE, Hole
from ..splitting import split

# Errors of `axes` for an object without such a dimension.
_OF_NO_AXIS: Final = (AttributeError, ValueError)

# The classes registered under each name, since a reload of a module creates another
# class.
_registered: dict[str, list[type[Any]]] = {}


def register_for_export() -> None:
    """Register every generated class that was imported with `jax.export`.

    The node that replaces a shared part at its other paths is registered with them.

    You may call this again, for example after an import or a reload. (A program that is
    exported after a reload works only in this process, as JAX keeps one class per
    name.)
    """
    for cls in concrete(GeneratedClass):
        _register(cls, _key_text, _key_of(cls), _unflattened)
    _register(Hole, lambda _: b"", lambda _: None, lambda *_: HOLE)


def _register(
    cls: type[Any],
    serialize: Callable[[Any], bytes],
    deserialize: Callable[[bytes], Any],
    from_children: Any,
) -> None:
    name = f"{cls.__module__}.{cls.__qualname__}"
    known = _registered.setdefault(name, [])
    if cls in known:
        return
    again = f"~{len(known)}" if known else ""
    jax_export.register_pytree_node_serialization(
        cls,
        serialized_name=f"{name}{again}",
        serialize_auxdata=serialize,
        deserialize_auxdata=deserialize,
        from_children=from_children,
    )
    known.append(cls)


def export(
    function: Any,
    /,
    *args: object,
    platforms: Sequence[str] | None = None,
    symbolic: Sequence[str] = (),
    **kwargs: object,
) -> jax_export.Exported:
    """Lower a function of a schema, for this platform or others.

    Args:
        function: a function of a generated module
        args: its arguments: arrays and objects, which may be abstract. Static values
            are part of the program, and not arguments of it
        platforms: as `jax.export` names them. Example: ["cpu", "cuda"]
        symbolic: dimensions with a symbolic size in the program. Example: ("nx",)
        kwargs: like `args`

    Raises:
        TypeError: the arguments do not fit, or no schema declares the function
        ValueError: no array has a symbolic dimension, or a static value determines its
            size
    """
    if not hasattr(function, "_parameters"):
        raise TypeError(
            "`export` accepts only functions that a schema declares: for others, call "
            "`register_for_export()`, and then `jax.export.export`"
        )
    register_for_export()
    known = function._parameters  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    bound = inspect.signature(function).bind(*args, **kwargs)
    static = {n: one for n, one in bound.arguments.items() if n in known.static}
    traced = {n: one for n, one in bound.arguments.items() if n not in known.static}
    for path, leaf in jax.tree_util.tree_leaves_with_path(traced):
        if is_ref(leaf):
            place = f"{path[0].key}{jax.tree_util.keystr(path[1:])}"
            raise TypeError(
                f"`{function.__name__}` cannot be exported: `{place}` is a Ref, which an "
                "exported program cannot write. Export a function that takes the content "
                "as an array, and returns it"
            )
    arguments = _shaped(function, traced, symbolic)
    leaves, treedef = jax.tree_util.tree_flatten(tuple(arguments.values()))
    donated = list[int]()
    numbered = jax.tree_util.tree_unflatten(treedef, range(len(leaves)))
    for name, value in zip(arguments, numbered, strict=True):
        split(value, donated if name in known.donated else [], [])

    def run(*leaves: object) -> object:
        values = jax.tree_util.tree_unflatten(treedef, leaves)
        return function(**dict(zip(arguments, values, strict=True)), **static)

    run.__name__ = run.__qualname__ = function.__name__
    program = jax.jit(run, donate_argnums=sorted(donated), keep_unused=True)
    exported = jax_export.export(program, platforms=platforms)(*leaves)
    # The leaves are flat because donation works per leaf; callers pass objects.
    in_tree = jax.tree_util.tree_structure((tuple(arguments.values()), {}))
    return dataclasses.replace(exported, in_tree=in_tree)


def _unflattened(aux_data: TraceKey, children: Sequence[Any]) -> object:
    return aux_data.cls.__codegen_record__.unflatten(aux_data, tuple(children))


# --- static values


def _key_text(key: TraceKey) -> bytes:
    """Return the canonical text of a key."""
    record = key.cls.__codegen_record__
    packing = Packing(Package.of(key.cls))
    pairs = zip(record.meta_fields, key.values, strict=True)
    fields = {name: packing.static(value, name) for name, value in pairs}
    document = {"classes": packing.classes, "format": FORMAT, "root": fields}
    return format_document(document).encode()


def _key_of(cls: type[Any]) -> Callable[[bytes], TraceKey]:
    def deserialized(data: bytes) -> TraceKey:
        package = Package.of(cls)
        # After a reload, use the class that has this name now.
        current = package.find_class(package.name_of(cls)) or cls
        record = current.__codegen_record__
        document = parse_document(data.decode())
        reading = _Reading(package, document, {}, {}, cast=False, key=None)
        fields = document["root"]
        if {*fields} != {*record.meta_fields}:
            raise CheckpointError(
                f"the static fields of `{record.schema}` have changed since the "
                "program was exported: export it again"
            )
        values = [
            reading.static(fields[name], SavedPlace(name))
            for name in record.meta_fields
        ]
        key: TraceKey = record.key(record.cls, values)
        return key

    return deserialized


class _Reading(Unpacking):
    """Reads the static values of a program, which may name functions that are imported."""

    def resolve_given(self, path: str, code: str, *, is_one: bool) -> object:
        """Return a function that is already imported."""
        module, _, name = code.partition(":")
        value: object = sys.modules.get(module) or sys.modules.get(
            self.package.name + module
        )
        for part in name.split("."):
            value = getattr(value, "__dict__", {}).get(part)
        if (
            not is_one
            or value is None
            or format_static(value, self.package.name) != code
        ):
            raise CheckpointError(
                f"`{path}` is `{code}`, whose module is not imported: import it first"
            )
        return value


# --- arguments


def _shaped(
    function: Any, arguments: Mapping[str, Any], symbolic: Sequence[str]
) -> dict[str, Any]:
    """Return abstract arguments, with symbols for some sizes."""
    shaped = {n: jax.tree_util.tree_map(_abstract, one) for n, one in arguments.items()}
    if not symbolic:
        return shaped
    sizes = dict(
        zip(symbolic, jax_export.symbolic_shape(",".join(symbolic)), strict=True)
    )
    run = function._implementation.run  # noqa: SLF001
    hints = inspect.signature(run, eval_str=True).parameters
    for dim, size in sizes.items():
        refusal = f"`{function.__name__}` cannot be exported with a symbolic `{dim}`"
        axes = {
            name: _object_axes(name, one, dim, refusal)
            if is_generated(one)
            else _array_axis(name, shaped[name], hints[name].annotation, dim, refusal)
            for name, one in arguments.items()
        }
        if all(one is None for one in axes.values()):
            raise ValueError(
                f"{refusal}: no array or object among its arguments has this dimension"
            )
        for name, one in axes.items():
            if one is not None:
                shaped[name] = _with(shaped[name], one, size)
    return shaped


def _object_axes(name: str, value: Any, dim: str, refusal: str) -> object:
    """Return the position of a dimension in each array of an object, or None."""
    try:
        axes = value.axes(dim)
    except _OF_NO_AXIS:
        return None
    fixed = type(value).__codegen_record__.sizes.get(dim)
    if fixed and axes is not None:
        raise ValueError(
            f"{refusal}: its size is the static value `{name}.{fixed[0]}`, which is fixed "
            "when the function is exported. Export the function once for each size"
        )
    return axes


def _array_axis(
    name: str, array: Any, hint: object, dim: str, refusal: str
) -> int | None:
    """Return the position of a dimension in an argument that is an array, or None."""
    sizes = getattr(hint, "dim_str", "").split()
    for size in sizes:
        if size != dim and dim in re.findall(r"\w+", size):
            raise ValueError(f"{refusal}: `{name}` has an axis of size `{size}`")
    if sizes.count(dim) > 1:
        raise ValueError(f"{refusal}: `{name}` has two axes of this dimension")
    if dim not in sizes:
        return None
    first = sizes.index(dim)
    # After any number of axes, the position counts from the end.
    is_behind = any(size[0] in ".*" for size in sizes[:first])
    return first + (array.ndim - len(sizes) if is_behind else 0)


def _with(value: object, axes: Any, size: object) -> object:
    def put(axis: Any, leaf: Any) -> object:
        if axis is None:
            return leaf
        struct: Any = jax.ShapeDtypeStruct
        shape = (*leaf.shape[:axis], size, *leaf.shape[axis + 1 :])
        return struct(shape, leaf.dtype)

    return jax.tree_util.tree_map(put, axes, value, is_leaf=lambda one: one is None)


def _abstract(leaf: object) -> object:
    return jax.eval_shape(lambda one: one, leaf)
