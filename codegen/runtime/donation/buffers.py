"""The buffers of donated arrays: which ones XLA reuses, and which ones another leaf
shares.

    step.donation(plate, 0.1)       # {"plate.u": True, "plate.total": False}
    settings.unused_donation = "error"

A buffer that is not reused is reported by its path. A call with the same buffer twice
is refused.

JAX itself only warns, without names and for one lowering, that "some donated buffers
were not usable". This module avoids that warning: see `unaliased_donations`.
"""

import collections
import functools
import operator
import re
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import jax
from jax.core import Tracer

from ..call.errors import DonationWarning, donates
from ..classes.values import is_weak
from ..keys.messages import format_shape
from ..options import settings
from ..traces import RetraceError

if TYPE_CHECKING:
    from .programs import DonatingProgram

# Example: "{1}: (0, {}, may-alias)", result 1 in the buffer of argument 0
_ALIAS: Final = re.compile(r"\{(\d*)\}: \((\d+), \{\}, (?:may|must)-alias\)")
_shape_and_dtype: Final = operator.attrgetter("shape", "dtype")
_size: Final = operator.attrgetter("size")
# JAX's stubs do not know its attributes.
_config: Final[Any] = jax.config

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
    left, free = list(donated), list(results)
    for kind in (_shape_and_dtype, *(() if is_exact else (_size,))):
        left, free = _unmatched(left, free, kind), _unmatched(free, left, kind)
    return left


def _unmatched(
    values: list[Any], others: list[Any], kind: Callable[[Any], Any]
) -> list[Any]:
    waiting = collections.Counter(kind(_aval(other)) for other in others)
    left: list[Any] = []
    for value in values:
        one = kind(_aval(value))
        if not waiting[one]:
            left.append(value)
        else:
            waiting[one] -= 1
    return left


def _aval(value: object) -> Any:
    convert = getattr(value, "__jax_array__", None)
    return jax.typeof(value if convert is None else convert())


def check_donations(
    program: "DonatingProgram", donated: list[Any], kept: list[Any], frames: int = 5
) -> None:
    """Report the donations of a program, once for each compilation.

    The call reuses the traces and lowerings of this check.

    Args:
        program: a `DonatingProgram`
        donated: the donated leaves of a call
        kept: the kept leaves
        frames: the `stacklevel` for `warnings.warn` in the caller

    Raises:
        DonationWarning: if `settings.unused_donation` requires it
    """
    if not donates() or program.is_ahead:
        return
    if (late := program.late) is not None:
        program.late = None
        raise late
    leaves = donated + kept
    try:
        kinds = [(jax.typeof(leaf), getattr(leaf, "sharding", None)) for leaf in leaves]
    except TypeError:
        return  # JAX refuses a leaf that is not an array, and reports its place.
    signature = (jax.sharding.get_abstract_mesh(), *kinds)
    program.is_unchecked = False
    unused = program.unused.get(signature)
    raises = settings.unused_donation == "error"
    if unused is not None and not raises:
        return
    if unused is None:
        traced = program.staged("trace", program.donating, (donated, kept), "call")
        lowering = functools.partial(reused_buffers, program.donating.args[0], traced)
        try:
            reused = program.run(lowering, donated, kept)
        except RetraceError:
            raise
        except Exception:  # noqa: BLE001  Without these JAX internals there is no report.
            reused = [True] * len(donated)
        unused = [i for i, is_reused in enumerate(reused) if not is_reused]
        program.unused[signature] = unused
        program.is_unchecked = False  # Tracing for this check has set it.
    if not unused:
        return
    program.reported.update(unused)
    text = _unused_text(program, leaves, unused)
    try:
        _report(text, frames + 1, is_error=raises)
    except DonationWarning:
        # The setting, or a warning filter, raised an error: the next call must raise it
        # again.
        program.is_unchecked = True
        program.unused.pop(signature, None)
        raise


def watch(program: "DonatingProgram", donated: list[Any], markers: Any) -> None:
    """Report buffers that the program reuses, but that this call did not reuse."""
    markers.watched -= 1
    # If a leaf has a weak type, a copy of it was donated.
    viewed = [
        i
        for i, leaf in enumerate(donated)
        if i not in program.reported and _is_alive(leaf) and not is_weak(leaf)
    ]
    if not viewed or not donates():
        return
    program.reported.update(viewed)
    text = (
        f"`{program.name}` could not reuse the donated buffer of "
        f"{_named(program, donated, viewed)} in this call, and copied it. On a CPU "
        "this happens while something else uses the same memory, usually a NumPy view "
        "(`numpy.asarray`) that is still alive: create a copy (`numpy.array`) instead"
    )
    if jax.__version__ == "0.11.2":
        text += (
            ". JAX 0.11.2 also keeps the views with which it prints or saves an array, "
            "until the array is gone: use another version of JAX"
        )
    _report(text, 7, is_error=False)


def _is_alive(leaf: object) -> bool:
    return isinstance(leaf, jax.Array) and not leaf.is_deleted()


def _named(program: "DonatingProgram", leaves: list[Any], positions: list[int]) -> str:
    paths = program.structure.paths
    return ", ".join(f"`{paths[i]}` ({format_shape(leaves[i])})" for i in positions)


def reused_buffers(
    _: object, traced: Any, donated: Any, kept: object = ()
) -> list[bool]:
    """Return for each donated leaf of a traced program whether XLA reuses its buffer.

    It has the parameters of the compiled function, since traces are found by the first
    argument.
    """
    reused = reused_by(traced, donated)
    return [i in reused for i in range(len(donated))]


def reused_by(traced: Any, donated: Sequence[Any]) -> dict[int, int]:
    """Return for each donated leaf whose buffer XLA reuses the number of the result in
    it, among the results that the program returns.
    """
    written, results = (), traced.out_info
    if type(results) is tuple:  # See `in_place`.
        written, results = results
    ((result, travelled),) = results.items()
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
    program: "DonatingProgram", leaves: list[Any], unused: list[int]
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


def _report(text: str, frames: int, *, is_error: bool) -> None:
    if is_error:
        raise DonationWarning(text)
    if settings.unused_donation != "ignore":
        warnings.warn(text, DonationWarning, stacklevel=frames)


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
        or not _is_concrete(leaf)
        or leaf.sharding.is_equivalent_to(sharding, leaf.ndim)
        for leaf, sharding in zip(donated, wanted, strict=False)
    ]


def _is_on_mesh(leaves: Sequence[Any]) -> bool:
    """Return whether a call with these leaves uses several devices."""
    if not jax.sharding.get_abstract_mesh().empty:
        return True
    arrays = filter(_is_concrete, leaves)
    return any(len(leaf.sharding.device_set) > 1 for leaf in arrays)


def _is_concrete(leaf: object) -> bool:
    return isinstance(leaf, jax.Array) and not isinstance(leaf, Tracer)


def _aliases(lowered: Any, attributes: Any) -> dict[int, int]:
    """Return which arguments share the buffers of which results, by number."""
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


def refuse_repeated(program: "DonatingProgram", leaves: Sequence[Any]) -> None:
    """Refuse a call that would donate a buffer twice, or donate one that it also reads.

    With more than one CPU device, jax 0.10 ends the process in such a call. Only the
    identity of the Array object is compared. Two Array objects may share one buffer, as
    after `jax.device_put` to the array's own device. XLA finds these if it reads both:
    see `explain_shared`.

    Args:
        program: a `DonatingProgram`
        leaves: the leaves of the call, the donated ones first

    Raises:
        ValueError: names both paths
    """
    buffers = key_data_of(leaves, program.keys)
    # As exact as `id`. Python audits `id`, which is slow if an audit hook is set.
    if len({*map(object.__hash__, buffers)}) < len(leaves):
        # Only arrays have buffers; equal numbers may be one object by chance.
        groups = [{id(x)} if isinstance(x, jax.Array) else set[int]() for x in buffers]
        _refuse_shared(program, groups, "are the same array")


def key_data_of(leaves: Sequence[Any], keys: Sequence[int]) -> list[Any]:
    """Return the leaves, with each random key replaced by the array of its data."""
    arrays = list(leaves)
    for position in keys:
        # The result of `jax.random.key_data`, which would take as long as the call.
        arrays[position] = getattr(leaves[position], "_base_array", leaves[position])
    return arrays


def explain_shared(
    error: BaseException, program: "DonatingProgram", leaves: Sequence[Any]
) -> None:
    """Report which leaves of a call share a buffer, if XLA reports that two do.

    Raises:
        ValueError: names both paths
    """
    if not _OF_SHARED.search(str(error)):
        return
    buffers = key_data_of(leaves, program.keys)
    groups = [
        {shard.data.unsafe_buffer_pointer() for shard in leaf.addressable_shards}
        if isinstance(leaf, jax.Array)
        else set[int]()
        for leaf in buffers
    ]
    _refuse_shared(program, groups, "share a buffer", error)


def _refuse_shared(
    program: "DonatingProgram",
    groups: Sequence[set[int]],
    what: str,
    cause: BaseException | None = None,
) -> None:
    """Refuse a call in which a donated leaf shares a buffer with another leaf.

    Args:
        program: a `DonatingProgram`
        groups: for each leaf, numbers that identify its buffers; the donated leaves
            come first
        what: the problem of two leaves with one buffer
        cause: the error of XLA
    """
    name, structure = program.name, program.structure
    first: dict[int, str] = {}
    for number, (group, path) in enumerate(zip(groups, structure.paths, strict=True)):
        is_donated = number < len(structure.donated)
        for buffer in group:
            if buffer in first:
                how = (
                    "which this call donates twice"
                    if is_donated
                    else "which this call donates and also reads"
                )
                raise ValueError(
                    f"`{first[buffer]}` and `{path}` of `{name}` {what}, {how}: a "
                    "donated buffer can be passed only once. Pass `jnp.copy(...)` for "
                    f"one of them, or call `{name}.keep(...)`, which donates nothing"
                ) from cause
            if is_donated:
                first[buffer] = path
