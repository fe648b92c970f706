"""Fields and arguments that are a `jax.Ref`: an array that functions write in place.

    k = as_ref(k, "bfloat16", cls, "k")     # a Ref as it is; a new Ref of an array

A Ref is a leaf like an array. A call never donates it, and its result contains the Ref
itself.
"""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from .classes.values import CONVERTED, without_weak_type
from .keys.messages import Owner, describe_array_type, unfit
from .keys.names import abstract_ref, has_dtype, is_generated, is_ref
from .shapes import dtype_remedy


def as_ref(value: object, declared: str, owner: Owner, path: str) -> Any:
    """Accept a Ref of a dtype or kind; copy an array into a new Ref.

    Other values that may replace a leaf are kept, such as a ShapeDtypeStruct.
    """
    if is_ref(value):
        return _of_dtype(value, declared, owner, path)
    if isinstance(value, jax.Array | np.ndarray | np.generic):
        array = without_weak_type(jnp.asarray(value))
        return jax.new_ref(_of_dtype(array, declared, owner, path))
    if type(value) in CONVERTED:
        remedy = (
            "pass a Ref, or an array that is copied into a new Ref; for a tree of axes, "
            "masks or labels use `like`"
        )
        raise _refused(value, declared, owner, path, remedy)
    return value


def as_ref_argument(value: object, declared: str, owner: Owner, path: str) -> Any:
    """Accept only a Ref of a dtype or kind, since a call would lose a new one."""
    if not is_ref(value):
        remedy = "create one with `jax.new_ref(array)`"
        if isinstance(value, jax.ShapeDtypeStruct):
            remedy = "write `jax.ShapeDtypeStruct(..., is_ref=True)`"
        raise _refused(value, declared, owner, path, remedy)
    return _of_dtype(value, declared, owner, path)


def _of_dtype(value: Any, declared: str, owner: Owner, path: str) -> object:
    if has_dtype(value.dtype, declared):
        return value
    remedy = dtype_remedy(value, declared)
    if is_ref(value):
        remedy = f"create another one with `jax.new_ref(ref[...].astype({declared!r}))`"
    raise _refused(value, declared, owner, path, remedy)


def _refused(
    value: object, declared: str, owner: Owner, path: str, remedy: str
) -> TypeError:
    expected = f"a Ref of {describe_array_type(declared)}"
    return TypeError(str(unfit(value, owner, path, expected, remedy)))


# --- calls


# Texts of JAX's errors, and what to write.
_REFUSALS: Final = {
    "mutable array references cannot be returned": "a loop, a branch or a transformed "
    "function cannot carry or return it. Use it from the enclosing function, and carry "
    "only arrays",
    **dict.fromkeys(
        ("Expected cotangent type Ref", "Ref-typed", "'ValAccum' object"),
        "JAX does not differentiate with respect to it. Differentiate with respect to "
        "arrays, and use it from the enclosing function",
    ),
    "vmapped value on an unbatched array reference": "`vmap` cannot write it, since all "
    "elements share it. Give it an axis in `in_axes`, as with `obj.axes(...)`, or write "
    "it after `vmap`",
    "State effect not supported in vmap-of-cond": "a `cond` under `vmap` cannot write "
    "it. Use `jnp.where` and write it in both cases",
    "differentiated value on a non-differentiated": "it cannot hold a value that is "
    "differentiated. Write `jax.lax.stop_gradient(value)`",
    "was both closed over and passed": "the function also uses it from outside. Use only "
    "that of the argument",
    "has no attribute 'nospec'": "`shard_map` cannot close over it. Pass it to the mapped "
    "function as an argument",
    "only one reference to a mutable array": "a transformed function gets it twice. "
    "Pass it once, or use it only from the enclosing function",
}
_WRITES: Final = ("WriteEffect", "AccumEffect")
_CREATED: Final = (
    Exception,
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,
)


def explain_refusal(
    error: Exception, located: Iterable[tuple[str, Any]], place: str
) -> None:
    """Raise an error with the paths of Refs, if JAX refuses to use one of them.

    Args:
        error: the error
        located: leaves with their paths
        place: the end of a path, as " of `step`"
    """
    text = str(error)
    advice = next((told for found, told in _REFUSALS.items() if found in text), "")
    if advice and type(error) in _CREATED:
        named = _named(located, text, place)
        raise type(error)(f"{named} is a Ref: {advice}\n{text}") from error


def _named(located: Iterable[tuple[str, Any]], text: str, place: str) -> str:
    """Name the Refs whose types occur in a text; all Refs if none does."""
    refs = [(path, str(jax.typeof(leaf))) for path, leaf in located if is_ref(leaf)]
    paths = [path for path, kind in refs if kind in text] or [path for path, _ in refs]
    return " or ".join(f"`{path}`" for path in paths) + place


def refuse_donated(leaves: Iterable[Any], paths: Sequence[str]) -> None:
    """Refuse a Ref in a donated place, which JAX cannot donate.

    Raises:
        TypeError: names the path
    """
    for leaf, path in zip(leaves, paths, strict=False):
        if is_ref(leaf):
            raise TypeError(
                f"`{path}` is a Ref, but is declared as donated: a Ref is written in place, "
                "and is never consumed. Declare it as `ref[...]`"
            )


def check_trace(
    name: str,
    arguments: object,
    paths: Sequence[str],
    result: object,
    leaves: Sequence[Any],
) -> None:
    """Refuse a result with a Ref that is not the caller's own, or is in another field;
    and a loop whose condition would read an old value.

    Args:
        name: the name of the function
        arguments: its traced arguments
        paths: the path of each leaf of the arguments
        result: its result
        leaves: the leaves of the arguments

    Raises:
        TypeError: names the field
    """
    fields = zip(leaves, _fields(arguments), paths, strict=True)
    known = {id(leaf): (field, path) for leaf, field, path in fields if is_ref(leaf)}
    located = jax.tree_util.tree_leaves_with_path(result)
    found: dict[int, str] = {}
    for (steps, leaf), field in zip(located, _fields(result), strict=True):
        if not is_ref(leaf):
            continue
        place = f"result{jax.tree_util.keystr(steps)}"
        own, path = known.get(id(leaf), ("", ""))
        if not path:
            why = (
                "is a new Ref. A result can contain only the caller's own Refs: write the "
                "value into the caller's Ref, `ref[...] = value`"
            )
        elif id(leaf) in found:
            why = f"is also {found[id(leaf)]}: a Ref can be in only one place"
        elif field != own:
            why = (
                f"is the Ref of `{path}`, in another field: write its content into the "
                "Ref of that field, `ref[...] = other[...]`"
            )
        else:
            found[id(leaf)] = place
            continue
        raise TypeError(f"`{name}` returned {place}, which {why}")
    _refuse_stale_reads(name, [*zip(paths, leaves, strict=True)])


def _fields(value: object) -> Iterator[str]:
    """Yield for each leaf of a value the field of the innermost object that has it."""
    for part in jax.tree_util.tree_leaves(value, is_leaf=is_generated):
        if not is_generated(part):
            yield ""
            continue
        record = type(part).__codegen_record__
        children, _ = record.flatten(part)
        for name, child in zip(record.data_fields, children, strict=True):
            yield from (inner or f"{record.schema}.{name}" for inner in _fields(child))


def _refuse_stale_reads(name: str, located: list[tuple[str, Any]]) -> None:
    """Refuse a `while_loop` whose condition reads a Ref that its body writes.

    JAX compiles it, but the condition reads the value from before the loop.
    """
    frames: list[Any] = [
        getattr(leaf, "_trace", None) for _, leaf in located if is_ref(leaf)
    ]
    kind = ""
    with contextlib.suppress(AttributeError, IndexError, KeyError):
        # This is not public: without it such a loop is not found.
        kind = next(_stale_reads(frames[0].frame.get_eqns()), "")
    if kind:
        raise TypeError(
            f"{_named(located, kind, f' of `{name}`')} is a Ref that the condition of a "
            "`while_loop` reads and its body writes: the condition would always read the "
            "value from before the loop. Carry the value instead, and write it after the "
            "loop"
        )


def _stale_reads(equations: Iterable[Any]) -> Iterator[str]:
    """Yield the types of such Refs, in equations of a jaxpr and in those inside them."""
    for equation in equations:
        parameters = equation.params
        if equation.primitive.name == "while":
            count, more = parameters["cond_nconsts"], parameters["body_nconsts"]
            read, given = equation.invars[:count], equation.invars[count:][:more]
            body = parameters["body_jaxpr"]
            effects = [one for one in body.effects if type(one).__name__ in _WRITES]
            inside = {id(effect.input) for effect in effects}
            pairs = zip(given, body.jaxpr.invars, strict=False)
            written = [outer for outer, inner in pairs if id(inner) in inside]
            yield from (str(one.aval) for one in written if any(one is r for r in read))
        for value in parameters.values():
            for inner in value if isinstance(value, tuple | list) else (value,):
                if hasattr(inner, "eqns"):
                    yield from _stale_reads(inner.eqns)


def on_default_device(leaves: Sequence[Any]) -> list[Any]:
    """Give abstract Refs the default device, unless the call uses several devices.

    JAX 0.12 would otherwise compile a program that cannot write to a Ref.
    """
    shardings = [getattr(leaf, "sharding", None) for leaf in leaves]
    if any(one is not None and len(one.device_set) > 1 for one in shardings):
        return [*leaves]
    with jax.ensure_compile_time_eval():  # A trace may be active.
        default = jnp.zeros(()).sharding
    return [
        abstract_ref(leaf, default)
        if is_ref(leaf) and isinstance(leaf, jax.ShapeDtypeStruct)
        else leaf
        for leaf in leaves
    ]
