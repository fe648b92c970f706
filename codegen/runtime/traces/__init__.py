"""Which field made JAX trace a function again: `step.traces`, and budgets."""

from .history import RetraceError, RetraceWarning, max_traces, traces_as_json
from .messages import Change, Trace

__all__ = [
    "Change",
    "RetraceError",
    "RetraceWarning",
    "Trace",
    "max_traces",
    "traces_as_json",
]
