# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Tell whether a JAX trace is active: under `jit`, `grad`, `vmap`, `scan`, ...

    is_tracing()                                # False
    jax.vmap(lambda x: is_tracing())(xs)        # True inside

A tracer exists only while its trace is active, so this covers arguments too.
"""

import threading
from typing import Any

from jax.extend.core import get_opaque_trace_state


def _trace_state() -> Any:
    """Return JAX's trace state of this thread: opaque, but compared by `==`."""
    return get_opaque_trace_state(convention=None)  # type: ignore[no-untyped-call]


def _top_level_state() -> Any:
    """Return the state outside any trace, in whatever trace this module is imported.

    A new thread starts outside any trace; this module may be imported within one, by
    the first call of a function.
    """
    states: list[Any] = []
    thread = threading.Thread(target=lambda: states.append(_trace_state()))
    thread.start()
    thread.join()
    return states[0]


_TOP_LEVEL = _top_level_state()


def is_tracing() -> bool:
    """Tell whether any JAX trace is active in this thread."""
    return bool(get_opaque_trace_state(convention=None) != _TOP_LEVEL)  # type: ignore[no-untyped-call]
