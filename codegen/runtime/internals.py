"""Names that are fast, but that JAX and Python do not promise. Only this module imports them.

| name | for | without it |
|---|---|---|
| `source_info_util` | JAX shows the user's line instead of ours | it shows ours |
| `trace_state_strong_ref` | each call asks whether JAX traces | the public function, ten times as slow |
| `get_opaque_trace_state` | drafts ask for the active trace | the public function, which imports Pallas |
| `ArrayImpl.is_deleted` | each call asks it about arrays that it passes on | the method of each array, slower |
| `ArrayImpl` | the contents of Refs are such arrays | the slower call with Refs themselves |
"""

import contextlib
import functools
import operator
import sys
import threading
from collections.abc import Callable
from typing import Any

from jax import Array

# `jax.extend` has it, too, but imports Pallas.
source_info: Any = None
with contextlib.suppress(ImportError):
    from jax._src import source_info_util

    source_info = source_info_util


# --- the active trace


def _public_trace_state() -> object:
    """Return JAX's trace state of this thread. It is opaque, but supports `==`."""
    # Imported on first use, since `jax.extend` imports Pallas. With jax 0.12, every
    # function that was traced before that import is traced again.
    from jax.extend import core

    untyped: Any = core
    return untyped.get_opaque_trace_state()


@functools.cache
def _outside() -> object:
    """Return the state outside any trace, in which a new thread starts."""
    states: list[Any] = []
    thread = threading.Thread(target=lambda: states.append(_public_trace_state()))
    thread.start()
    thread.join()
    return states[0]


def is_tracing_publicly() -> bool:
    """Return whether any JAX trace is active, by JAX's public interface only."""
    return bool(_public_trace_state() != _outside())


class _PublicState:
    """A replacement of `trace_state_strong_ref` that uses only JAX's public interface."""

    @property
    def value(self) -> object:
        return is_tracing_publicly()


trace_state: Callable[[], object] = _public_trace_state
active: Any = _PublicState()
no_trace: object = False
with contextlib.suppress(ImportError, AttributeError):
    from jax._src import core

    no_trace = core.eval_trace
    active = core.trace_state_strong_ref
    trace_state = core.get_opaque_trace_state


# --- methods of arrays in C++, without Python wrappers

# Raises an error for a leaf that is not an array.
is_array_deleted: Callable[[Any], bool] = operator.methodcaller("is_deleted")
array_type: type[Array] | None = None
with contextlib.suppress(ImportError, AttributeError):
    from jax._src.array import ArrayImpl

    array_type = ArrayImpl
    is_array_deleted = array_type.is_deleted


# --- identity

# From an object to a number that it has for itself while it lives. Python audits `id`. From
# CPython 3.12 on, filelock, which JAX imports if it is installed, adds an audit hook: then
# `id` takes five times as long. On CPython 3.11 it is the faster one.
identity: Callable[[object], int] = (
    id if sys.version_info < (3, 12) else object.__hash__
)
