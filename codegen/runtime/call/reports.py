# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What is said of a call's donations: not used, used in vain, of arrays that are gone.

check_donations(program, donated, kept)     # once for what it is compiled for
watch(program, donated)                     # after a call
explain(error, program, donated, kept)      # after one that failed
"""

from collections.abc import Hashable
from typing import Any, Final

import jax

from ..keys.messages import shown_shape
from ..settings import settings
from .donation import (
    DonationWarning,
    on_mesh,
    report_unused,
    report_view,
    reused_buffers,
)
from .programs import Program, looks_for_nans
from .spent import find_spent

# What JAX says of a deleted argument, by the way it is passed.
_OF_DELETED: Final = (
    "Array has been deleted",
    "Buffer has been deleted",
    "deleted or donated buffer",
)
# And of one that another thread has donated since the call began.
_OF_DONATED: Final = "INVALID_ARGUMENT: Invalid buffer passed to Execute()"
# What reading JAX's internals raises where they are others.
_OF_INTERNALS: Final = (
    AttributeError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
)


def check_donations(program: Program, donated: list[Any], kept: list[Any]) -> None:
    """Report the donations of a program, once for what it is compiled for.

    What is traced and lowered for it is found again by the call.
    """
    if not donates():
        return
    program.renew()
    try:
        signature = _signature(donated + kept)
    except TypeError:
        return  # What is no array is JAX's to refuse, which says where it is.
    program.unchecked.clear()
    unused = program.checked.get(signature)
    if unused is not None and not settings.raises:
        return
    if unused is None:
        traced = program.donating.trace(donated, kept)
        try:
            reused = reused_in(program, traced, donated)
        except _OF_INTERNALS:
            # In a version of JAX that is not known yet there is no report.
            reused = [True] * len(donated)
        unused = [i for i, used in enumerate(reused) if not used]
        program.checked[signature] = unused
        program.unchecked.clear()
    paths = program.entry.paths
    program.reported.update(paths[i] for i in unused)
    if unused:
        named = [_named(paths[i], donated[i]) for i in unused]
        try:
            report_unused(program.work.name, named, on_mesh=on_mesh(donated + kept))
        except DonationWarning:
            # The next call is to raise again.
            program.unchecked.append(None)
            program.checked.pop(signature, None)
            raise


def reused_in(program: Program, traced: Any, donated: list[Any]) -> list[bool]:
    return reused_buffers(traced, donated, keep_unused=program.work.keep_unused)


def explain(
    error: BaseException,
    program: Program,
    donated: list[Any],
    kept: list[Any],
) -> None:
    """Say which argument is deleted, where JAX says that one is."""
    if not is_of_deleted(error):
        return
    if runs_again():
        error.add_note(
            f"`jax_debug_nans` and `jax_debug_infs` run `{program.work.name}` again where "
            "they find a NaN or an infinity in its result, but it was compiled with "
            "donation, and its arguments are gone: to see where that comes from, "
            f"call `{program.work.name}.keep(...)`"
        )
    else:
        spent = find_spent(donated + kept, program.entry.paths, program.work.name)
        if spent is not None:
            raise spent from error


def watch(program: Program, donated: list[Any]) -> None:
    """Report buffers that the program reuses, but not in this call."""
    paths = program.entry.paths
    viewed = [
        i
        for i, leaf in enumerate(donated)
        if paths[i] not in program.reported and _is_alive_on_cpu(leaf)
    ]
    program.reported.update(paths[i] for i in viewed)
    if viewed and donates():
        report_view(program.work.name, [_named(paths[i], donated[i]) for i in viewed])


def is_of_deleted(error: BaseException) -> bool:
    """Tell whether JAX refused an argument that was deleted before the call.

    A program that fails while it runs raises a subclass, with whatever text.
    """
    text = str(error)
    if type(error) not in (RuntimeError, ValueError):
        return text.startswith(_OF_DONATED) and isinstance(error, RuntimeError)
    return any(words in text for words in _OF_DELETED)


def runs_again() -> bool:
    """Tell whether JAX runs a call a second time, to find what made a NaN or infinity."""
    config: Any = jax.config
    return bool(config.jax_debug_nans or config.jax_debug_infs)


def donates() -> bool:
    """Tell whether JAX donates at all, as it does not while it looks for NaNs."""
    return compiles() and not looks_for_nans()


def compiles() -> bool:
    """Tell whether JAX compiles, as it does not under `jax.disable_jit`."""
    config: Any = jax.config
    return not config.jax_disable_jit


def _signature(leaves: list[Any]) -> Hashable:
    """Return what a program is compiled for, of leaves of one structure."""
    kinds = [(jax.typeof(leaf), getattr(leaf, "sharding", None)) for leaf in leaves]
    return jax.sharding.get_abstract_mesh(), *kinds


def _is_alive_on_cpu(leaf: Any) -> bool:
    if not isinstance(leaf, jax.Array) or leaf.is_deleted():
        return False
    return all(device.platform == "cpu" for device in leaf.devices())


def _named(path: str, leaf: Any) -> str:
    return f"`{path}` ({shown_shape(leaf)})"
