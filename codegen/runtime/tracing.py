"""Tell whether a JAX trace is active: under `jit`, `grad`, `vmap`, `scan`, ...

    is_tracing()                                # False
    jax.vmap(lambda x: is_tracing())(xs)        # True inside
    trace_state() == trace_state()              # True in one trace

A tracer exists only while its trace is active, so this covers arguments too.
"""

import functools
import importlib
import threading
from typing import Any


def trace_state() -> Any:
    """Return JAX's trace state of this thread: opaque, but compared by `==`."""
    # Imported when first asked for, since `jax.extend` imports Pallas.
    return importlib.import_module("jax.extend.core").get_opaque_trace_state()


@functools.cache
def _outside() -> Any:
    """Return the state outside any trace, where a new thread starts."""
    states: list[Any] = []
    thread = threading.Thread(target=lambda: states.append(trace_state()))
    thread.start()
    thread.join()
    return states[0]


def is_tracing_publicly() -> bool:
    """Tell it by JAX's public interface alone."""
    return bool(trace_state() != _outside())


try:
    # One read in C++, of which each call has one: a tenth of what the public way takes.
    from jax._src.core import eval_trace, trace_state_strong_ref

    def is_tracing() -> bool:
        """Tell whether any JAX trace is active in this thread."""
        return trace_state_strong_ref.value is not eval_trace

except ImportError:
    is_tracing = is_tracing_publicly
