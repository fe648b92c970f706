# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Find out which donated buffers XLA reuses, and report by path those that it does not.

    step.donation(plate, 0.1)       # {"plate.u": True, "plate.total": False}
    settings.unused_donation = "error"

JAX says without names, and for one lowering, that "some donated buffers were not
usable". It is given no occasion to: a leaf that no result can take the place of passes
through the program as a result of its own, which nobody reads.
"""

import collections
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax

from ..settings import settings

# Example: "{1}: (0, {}, may-alias)", result 1 in the buffer of argument 0
_ALIAS: Final = re.compile(r"\{(\d*)\}: \((\d+), \{\}, (?:may|must)-alias\)")


class DonationWarning(UserWarning):
    """A donated buffer is not reused."""


def left_over(donated: Sequence[Any], results: Sequence[Any]) -> list[Any]:
    """Return the donated leaves whose buffers JAX would not give to XLA.

    As JAX does, leaves are matched in their order with results: first those of their
    shape and dtype, then those of their size, for which XLA may reuse them or not.
    """
    left, free = list(donated), list(results)
    for kind in (_shape_and_dtype, _size):
        left, free = _unmatched(left, free, kind), _unmatched(free, left, kind)
    return left


def reused_buffers(
    traced: Any, donated: Sequence[Any], *, keep_unused: bool
) -> list[bool]:
    """Tell for each donated leaf of a traced program whether XLA reuses its buffer.

    Args:
        traced: the program, whose result is a dict from the recipe to leaves
        donated: its donated leaves; they are its first arguments
        keep_unused: whether it has arguments that it does not read
    """
    ((recipe, leaves),) = traced.out_info.items()
    with warnings.catch_warnings():
        # JAX's own, of axes that are part of a type: what it would say is found below.
        warnings.filterwarnings("ignore", "Some donated buffers were not usable")
        lowered = traced.lower()
    main = _main(lowered)
    # JAX puts constants and tokens in front of arguments and results.
    first = len(main.type.results) - len(leaves)
    reused = {
        argument
        for argument, result in _aliases(lowered, main.arg_attrs).items()
        if first <= result < first + recipe.fresh
    }
    read = _read(traced, keep_unused=keep_unused)
    number = len(main.arg_attrs) - sum(read)
    numbers = [number + sum(read[:position]) for position in range(len(donated))]
    placed = _placed(lowered, donated)
    return [read[i] and numbers[i] in reused and placed[i] for i in range(len(donated))]


def report_unused(name: str, unused: Sequence[str], *, on_mesh: bool) -> None:
    """Warn of donated buffers that are not reused, or raise, as is set.

    Args:
        name: the function's name
        unused: the paths of the leaves, each with its dtype and shape
        on_mesh: whether the program is one of several devices
    """
    text = (
        f"`{name}` does not reuse the donated buffer of {', '.join(unused)}: XLA takes "
        f"one for a result of the same size, mostly of the same shape and dtype, and "
        "only if the function reads it. "
    )
    if on_mesh:
        text += (
            "On several devices it also has to lie as the program has it: place it "
            "before the first call, by `jax.device_put(obj, obj.shardings(mesh))`; on a "
            "mesh that has none of the schema's axes, where that is an error, by "
            "`jax.device_put(obj, jax.NamedSharding(mesh, jax.P()))`. "
        )
    text += "It is consumed all the same; declare it dynamic to keep it"
    if settings.unused_donation == "error":
        raise DonationWarning(text)
    if settings.unused_donation == "warn":
        warnings.warn(text, DonationWarning, stacklevel=5)


def report_view(name: str, viewed: Sequence[str]) -> None:
    """Warn of buffers that were copied in a call, though the program reuses them."""
    text = (
        f"`{name}` could not reuse the donated buffer of {', '.join(viewed)} in this "
        "call, and copied it: on a CPU that happens while something else uses the same "
        "memory, mostly a NumPy view (`numpy.asarray`) that is still alive. Take a copy "
        "(`numpy.array`) instead"
    )
    if settings.unused_donation != "ignore":
        warnings.warn(text, DonationWarning, stacklevel=5)


def _unmatched(
    values: list[Any], others: list[Any], kind: Callable[[Any], Any]
) -> list[Any]:
    waiting = collections.Counter(map(kind, others))
    left: list[Any] = []
    for value in values:
        if waiting[kind(value)] > 0:
            waiting[kind(value)] -= 1
        else:
            left.append(value)
    return left


def _shape_and_dtype(value: Any) -> tuple[Any, Any]:
    aval = _aval(value)
    return aval.shape, aval.dtype


def _size(value: Any) -> int:
    size: int = _aval(value).size
    return size


def _aval(value: Any) -> Any:
    convert = getattr(value, "__jax_array__", None)
    return jax.typeof(value if convert is None else convert())


def _placed(lowered: Any, donated: Sequence[Any]) -> list[bool]:
    """Tell for each donated leaf whether it lies where the program takes it from.

    Where it does not, JAX moves it, and donates what it has moved.
    """
    if not on_mesh(donated):
        return [True] * len(donated)
    # One for each donated leaf; None where the program does not read it.
    wanted = lowered.compile().input_shardings[0][0]
    return [
        sharding is None
        or not isinstance(leaf, jax.Array)
        or leaf.sharding.is_equivalent_to(sharding, leaf.ndim)
        for leaf, sharding in zip(donated, wanted, strict=True)
    ]


def on_mesh(leaves: Sequence[Any]) -> bool:
    """Tell whether a call with these leaves is one of several devices."""
    if not jax.sharding.get_abstract_mesh().empty:
        return True
    arrays = (leaf for leaf in leaves if isinstance(leaf, jax.Array))
    return any(len(leaf.sharding.device_set) > 1 for leaf in arrays)


def _main(lowered: Any) -> Any:
    operations = lowered.compiler_ir().body.operations
    (main,) = [each for each in operations if each.sym_name.value == "main"]
    return main


def _aliases(lowered: Any, attributes: Any) -> dict[int, int]:
    """Return which arguments share the buffers of which results, by number."""
    if any("jax.buffer_donor" in each for each in attributes):
        # XLA decides, so only the compiled program says it, in the head of its text.
        head = lowered.compile().as_text().partition("\n")[0]
        return {int(a): int(r or 0) for r, a in _ALIAS.findall(head)}
    return {
        number: int(each["tf.aliasing_output"].value)
        for number, each in enumerate(attributes)
        if "tf.aliasing_output" in each
    }


def _read(traced: Any, *, keep_unused: bool) -> list[bool]:
    """Tell for each leaf whether it is an argument of the lowered program."""
    # Not of JAX's public interface: without it everything but the report works.
    from jax.interpreters import partial_eval  # noqa: PLC0415

    # A ClosedJaxpr until jax 0.11.
    jaxpr = getattr(traced.jaxpr, "jaxpr", traced.jaxpr)
    if keep_unused:
        return [True] * len(jaxpr.invars)
    results = [True] * len(jaxpr.outvars)
    read: list[bool] = partial_eval.dce_jaxpr(jaxpr, results)[1]
    return read
