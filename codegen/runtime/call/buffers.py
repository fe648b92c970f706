"""The buffers of donated arrays: which ones XLA reuses, and which ones another leaf
shares.

    step.donation(plate, 0.1)       # {"plate.u": True, "plate.total": False}
    settings.unused_donation = "error"

A buffer that is not reused is reported by its path. A call with the same buffer twice
is refused.

JAX itself only warns, without names and for one lowering, that "some donated buffers
were not usable". This module avoids that warning: see `unaliased_donations`.
"""

import itertools
import operator
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import jax

from ..keys.messages import format_shape
from ..switches import settings
from ..tracing import user_place
from .errors import DonationWarning, is_concrete

if TYPE_CHECKING:
    from .programs import CompiledProgram

# Example: "{1}: (0, {}, may-alias)", result 1 in the buffer of argument 0
_ALIAS: Final = re.compile(r"\{(\d*)\}: \((\d+), \{\}, (?:may|must)-alias\)")
_shape_and_dtype: Final = operator.attrgetter("shape", "dtype")
_size: Final = operator.attrgetter("size")
# XLA's error for two arguments with one buffer, if one of them is donated.
_OF_SHARED: Final = re.compile("Attempt to (use a buffer|donate the same buffer)")


def unaliased_donations(
    donated: Sequence[Any], results: Sequence[Any], *, is_exact: bool = False
) -> list[Any]:
    """Return the donated leaves whose buffers JAX would not give to XLA.

    They pass through the program as extra results that are never read. So JAX has no
    reason to warn about them, without names and once for each lowering.

    As in JAX, leaves are matched in order with results: first those of their shape and
    dtype, then those of their size. XLA may or may not reuse the latter.

    With `is_exact`, as in a call with Refs, the latter are not matched: JAX would give
    the buffer of such a leaf to a Ref of its shape, which has its own buffer.
    """
    left, free = dict(enumerate(map(_aval, donated))), [*map(_aval, results)]
    for kind in (_shape_and_dtype, *(() if is_exact else (_size,))):
        for number, aval in [*left.items()]:
            wanted = kind(aval)
            same = next((i for i, one in enumerate(free) if kind(one) == wanted), None)
            if same is not None:
                del left[number], free[same]
    return [donated[number] for number in left]


def _aval(value: object) -> Any:
    convert = getattr(value, "__jax_array__", None)
    return jax.typeof(value if convert is None else convert())


def report_unused(
    program: "CompiledProgram",
    traced: object,
    donated: Sequence[Any],
    kept: Sequence[Any],
    *,
    is_error: bool,
) -> None:
    """Report the donated buffers that XLA does not reuse, once for each trace.

    `traced` is the result of JAX's stage `trace`. With `is_error` each call raises it.

    Raises:
        DonationWarning: with `is_error`, or because a warning filter requires it
    """
    (structure,) = _results(traced)
    is_known = structure.unused is not None
    if not is_known:
        try:
            reused = reused_by(traced, donated)
        except Exception:  # noqa: BLE001  Without these JAX internals there is no report.
            reused = dict.fromkeys(range(len(donated)), 0)
        structure.unused = [i for i in range(len(donated)) if i not in reused]
    if not structure.unused or (is_known and not is_error):
        return
    warning = DonationWarning(
        _unused_text(program, [*donated, *kept], structure.unused)
    )
    if is_error:
        raise warning
    if settings.unused_donation != "ignore":
        warnings.warn_explicit(warning, None, *user_place())


def _results(traced: Any) -> Any:
    """Return the structure of the result with the leaves that travel, see `Results`."""
    results = traced.out_info
    return results[-1] if type(results) is list else results  # See `in_place`.


def _named(program: "CompiledProgram", leaves: list[Any], positions: list[int]) -> str:
    paths = program.structure.paths
    return ", ".join(f"`{paths[i]}` ({format_shape(leaves[i])})" for i in positions)


def reused_by(traced: Any, donated: Sequence[Any]) -> dict[int, int]:
    """Return for each donated leaf whose buffer XLA reuses the number of the result in
    it, among the results that the program returns.
    """
    ((result, travelled),) = _results(traced).items()
    is_in_place = type(traced.out_info) is list
    written = traced.out_info[:-1] if is_in_place else ()
    with warnings.catch_warnings():
        # JAX's own warning, for axes that are part of a type. This function finds those
        # below.
        warnings.filterwarnings("ignore", "Some donated buffers were not usable")
        lowered = traced.lower()
    operations = lowered.compiler_ir().body.operations
    (main,) = [each for each in operations if each.sym_name.value == "main"]
    # JAX omits arguments that are not read, and inserts others before them. This is not
    # public: without it everything works except the report.
    read = sorted(lowered._lowering.compile_args["kept_var_idx"])  # noqa: SLF001
    # JAX puts constants and tokens before arguments and results, and the contents of
    # Refs after the results.
    refs = sum(hasattr(traced.jaxpr.in_avals[i], "inner_aval") for i in read)
    first = len(main.type.results) - len(jax.tree.leaves(travelled)) - refs
    others = len(main.arg_attrs) - len(read)
    placed = _placed(lowered, donated)
    found = {
        read[argument - others] - len(written): number - first
        for argument, number in _aliases(lowered, main.arg_attrs).items()
        if first <= number < first + result.fresh
    }
    return {i: number for i, number in found.items() if placed[i]}


def _unused_text(
    program: "CompiledProgram", leaves: list[Any], unused: list[int]
) -> str:
    text = (
        f"`{program.name}` does not reuse the donated buffer of "
        f"{_named(program, leaves, unused)}: XLA reuses a buffer only for a result of "
        "the same size, usually of the same shape and dtype, and only if the function "
        "reads it. "
    )
    if _is_on_mesh(leaves):
        text += (
            "On several devices, the array must also have the sharding that the "
            "program expects: place it before the first call, with "
            "`jax.device_put(obj, obj.shardings(mesh))`. If the mesh has none of the "
            "schema's axes, that is an error: use "
            "`jax.device_put(obj, jax.NamedSharding(mesh, jax.P()))`. "
        )
    return f"{text}The array is still consumed: declare it dynamic to keep it"


def _placed(lowered: Any, donated: Sequence[Any]) -> list[bool]:
    """Return for each donated leaf whether it already has the program's sharding.

    If not, JAX moves it, and donates the moved copy.
    """
    if not _is_on_mesh(donated):
        return [True] * len(donated)
    # One for each leaf; None if the program does not read it.
    wanted = lowered.compile().input_shardings[0][0]
    if type(wanted) is tuple:  # See `in_place`.
        _, wanted = wanted
    return [
        sharding is None
        or not is_concrete(leaf)
        or leaf.sharding.is_equivalent_to(sharding, leaf.ndim)
        for leaf, sharding in zip(donated, wanted, strict=False)
    ]


def _is_on_mesh(leaves: Sequence[Any]) -> bool:
    """Return whether a call with these leaves uses several devices."""
    if not jax.sharding.get_abstract_mesh().empty:
        return True
    arrays = filter(is_concrete, leaves)
    return any(len(leaf.sharding.device_set) > 1 for leaf in arrays)


def _aliases(lowered: Any, attributes: Any) -> dict[int, int]:
    """Return for each argument, by number, the result whose buffer it shares."""
    if any("jax.buffer_donor" in each for each in attributes):
        # XLA decides this, so only the head of the compiled program's text shows it.
        head = lowered.compile().as_text().partition("\n")[0]
        return {int(a): int(r or 0) for r, a in _ALIAS.findall(head)}
    return {
        number: int(each["tf.aliasing_output"].value)
        for number, each in enumerate(attributes)
        if "tf.aliasing_output" in each
    }


# --- two leaves with one buffer


def refuse_repeated(
    program: "CompiledProgram",
    donated: Sequence[Any],
    kept: Sequence[Any],
    cause: BaseException | None = None,
    *,
    by_pointer: bool = False,
) -> None:
    """Refuse a call that would donate a buffer twice, or donate one that it also reads.

    With more than one CPU device, jax 0.10 ends the process in such a call. Before a call
    only the identity of the Array object is compared. Two Array objects may share one
    buffer, as after `jax.device_put` to the array's own device. XLA finds these if it
    reads both, and keeps them: after its error, the `cause`, the buffers are compared.
    `by_pointer` compares them without an error.

    Raises:
        ValueError: names both paths
    """
    if cause is not None:
        if not _OF_SHARED.search(str(cause)):
            return
        by_pointer = True
    arrays = itertools.chain(*program.key_data(donated, kept))
    first: dict[int, str] = {}
    for number, (array, path) in enumerate(
        zip(arrays, program.structure.paths, strict=True)
    ):
        is_donated = number < len(donated)
        for buffer in _buffers(array, by_pointer=by_pointer):
            if buffer in first:
                what = "share a buffer" if by_pointer else "are the same array"
                how = "donates twice" if is_donated else "donates and also reads"
                name = program.name
                raise ValueError(
                    f"`{first[buffer]}` and `{path}` of `{name}` {what}, which this call "
                    f"{how}: a donated buffer can be passed only once. Pass "
                    f"`jnp.copy(...)` for one of them, or call `{name}.keep(...)`, which "
                    "donates nothing"
                ) from cause
            if is_donated:
                first[buffer] = path


def _buffers(array: object, *, by_pointer: bool) -> set[int]:
    """Return numbers that identify the buffers of an array; equal numbers of Python may
    be one object by chance.
    """
    if not isinstance(array, jax.Array):
        return set()
    if not by_pointer:
        return {id(array)}
    if array.is_deleted() or not array.size:
        return set()
    return {shard.data.unsafe_buffer_pointer() for shard in array.addressable_shards}


def is_on_cpu_devices(leaf: Any) -> bool:
    """Return whether a leaf is an array on several CPU devices."""
    if not is_concrete(leaf):
        return False
    devices = leaf.sharding.device_set
    return len(devices) > 1 and next(iter(devices)).platform == "cpu"
