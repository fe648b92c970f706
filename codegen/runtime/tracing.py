# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Tell whether a JAX trace is active: under `jit`, `grad`, `vmap`, `scan`, ...

    is_tracing()                                # False
    jax.vmap(lambda x: is_tracing())(xs)        # True inside
    trace_state() == trace_state()              # True in one trace

A tracer exists only while its trace is active, so this covers arguments too.
"""

import threading
from typing import Any

from jax.extend.core import get_opaque_trace_state


def trace_state() -> Any:
    """Return JAX's trace state of this thread: opaque, but compared by `==`."""
    return get_opaque_trace_state()  # type: ignore[no-untyped-call]


def _top_level_state() -> Any:
    """Return the state outside any trace, in whatever trace this module is imported.

    A new thread starts outside any trace; this module may be imported within one, by
    the first call of a function. `jax.ensure_compile_time_eval` leads to another state.
    """
    states: list[Any] = []
    thread = threading.Thread(target=lambda: states.append(trace_state()))
    thread.start()
    thread.join()
    return states[0]


# Whether a state is that one. Looked up once, since every call of a function asks.
_is_top_level = _top_level_state().__eq__


def is_tracing() -> bool:
    """Tell whether any JAX trace is active in this thread."""
    state = get_opaque_trace_state()  # type: ignore[no-untyped-call]
    return not _is_top_level(state)
