"""Which field made JAX trace a function again: `step.traces`, and budgets."""

from .changes import Change
from .records import RetraceError, RetraceWarning, max_traces, traces_as_json
from .texts import Trace

__all__ = [
    "Change",
    "RetraceError",
    "RetraceWarning",
    "Trace",
    "max_traces",
    "traces_as_json",
]
