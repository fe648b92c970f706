# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""Tell whether a JAX trace is active: under `jit`, `grad`, `vmap`, `scan`, ...

    is_tracing()                                # False
    jax.vmap(lambda x: is_tracing())(xs)        # True inside
    trace_state() == trace_state()              # True in one trace

A tracer exists only while its trace is active, so this covers arguments too.
"""

import functools
import importlib
import threading
from collections.abc import Callable
from typing import Any


@functools.cache
def _states() -> tuple[Callable[[], Any], Callable[[Any], bool]]:
    """Return what gives a thread's trace state, and what asks if it is outside any trace.

    Imported when first asked for, since `jax.extend` imports Pallas. That may be within
    a trace, and `jax.ensure_compile_time_eval` leads to another state than the one
    outside; but a new thread starts there.
    """
    current = importlib.import_module("jax.extend.core").get_opaque_trace_state
    states: list[Any] = []
    thread = threading.Thread(target=lambda: states.append(current()))
    thread.start()
    thread.join()
    return current, states[0].__eq__


def trace_state() -> Any:
    """Return JAX's trace state of this thread: opaque, but compared by `==`."""
    return _states()[0]()


def is_tracing() -> bool:
    """Tell whether any JAX trace is active in this thread."""
    current, is_outside = _states()
    return not is_outside(current())
