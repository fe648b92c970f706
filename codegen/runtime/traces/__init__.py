"""The traces of each function: recorded when JAX traces, compared, checked against budgets.

    step.traces[-1].changes         # (Change("plate.thickness", "0.001", "0.002", "static"),)
    with max_traces(1, step):       # RetraceError at the second one
        ...

A function has one history. It looks at a call only while JAX traces.
"""

import collections
import contextlib
import dataclasses
import json
import logging
import os
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import jax

from ..keys.interning import reentrant_lock
from ..switches import settings
from ..tracing import Call, current_call, format_file, is_tracing, user_place

if TYPE_CHECKING:
    from .messages import Trace, Traces
    from .signature import Aspects

# `jax.jit` with the right static and donated arguments for the key and the two lists of
# leaves.
Compile: TypeAlias = Callable[[Callable[..., Any]], Any]

_TRACES_MAX: Final = 64
_logger: Final = logging.getLogger("codegen.traces")
_histories: Final = weakref.WeakSet["History"]()
_lock: Final = reentrant_lock()
_config: Final[Any] = jax.config


class RetraceError(RuntimeError):
    """A function would be traced more often than allowed."""


class RetraceWarning(UserWarning):
    """A function was traced more often than its budget allows."""


class TraceRecord:
    """A trace, with the data that distinguish it from others."""

    def __init__(self, trace: "Trace", aspects: "Aspects") -> None:
        self.trace, self.aspects = trace, aspects
        self.start = time.perf_counter()

    def finish(self) -> None:
        """Note how long the trace has taken, with its compilation; log it."""
        seconds = time.perf_counter() - self.start
        self.trace = dataclasses.replace(self.trace, seconds=seconds)
        if settings.traces != "log" or self.trace.number == 1:
            return
        if os.environ.get("CODEGEN_TRACES") and not _logger.hasHandlers():
            # The environment variable must show the log whatever logging setup there is.
            _logger.addHandler(logging.StreamHandler())
            _logger.setLevel(logging.INFO)
        _logger.info(str(self.trace))


class History:
    """The traces of a function, and its compiled functions."""

    # The number of traces, and of those that the budget counts: not refused, by calls.
    count = 0
    counted = 0
    # The compiled function that retains everything, and the one that donates.
    pair: tuple[Any, Any] | None = None

    def __init__(
        self,
        name: str,
        module: str,
        budget: int | None,
        jit: Compile,
        keep: Compile,
    ) -> None:
        """Begin a history without traces.

        `jit` compiles the function for calls, and `keep` for those that donate nothing.
        """
        if budget is not None and (type(budget) is not int or budget < 1):
            raise ValueError(f"`traces` of `{name}` must be 1 or more, not {budget!r}")
        self.name, self.module, self.budget = name, module, budget
        self.jit, self.keep = jit, keep
        self._records = collections.deque[TraceRecord](maxlen=_TRACES_MAX)
        _histories.add(self)

    @property
    def traces(self) -> "Traces":
        """The latest traces."""
        from .messages import Traces

        return Traces([record.trace for record in [*self._records]])

    @contextlib.contextmanager
    def tracing(self) -> Generator[TraceRecord | None]:
        """Record a trace, if JAX traces here.

        Raises:
            RetraceError: a trace is not allowed
        """
        call = current_call()
        if call is None or not is_tracing() or _config.jax_disable_jit:
            yield None
            return
        record = self._begin(call)
        try:
            yield record
            if settings.traces == "warn" and record.trace.budget:
                text = str(record.trace)
                warnings.warn_explicit(text, RetraceWarning, *user_place())
        except BaseException:
            # There is no program.
            with _lock, contextlib.suppress(ValueError):
                self._count(-1, counts=record.trace.counts)
                self._records.remove(record)
            raise
        if call.by not in ("call", "keep"):
            record.finish()  # Of a call, `finish` follows when it is compiled.

    def _begin(self, call: Call) -> TraceRecord:
        from .messages import Trace, find_changes, iter_advice
        from .signature import describe_call

        aspects, counts = describe_call(call), call.by == "call"
        file, line = user_place()
        with _lock:
            full = [block for block in _open_blocks() if block.is_full(self)]
            over = self._over_budget() if counts else ""
            refused = bool(full) or (bool(over) and settings.traces == "error")
            # A copy, as other threads may add traces meanwhile. The latest comes first.
            earlier = [r for r in reversed([*self._records]) if not r.trace.refused]
            # Compare with the program that differs in the fewest fields; the latest if
            # several do.
            changes, nearest = min(
                [
                    ([*find_changes(each.aspects, aspects)], each.trace.number)
                    for each in earlier
                ],
                key=lambda one: len({change.path for change in one[0]}),
                default=([], 0),
            )
            known = [aspects, *(record.aspects for record in earlier)]
            advice = iter_advice(changes, known, has_budget=self.budget is not None)
            trace = Trace(
                self.name,
                self.count + 1,
                f"{os.path.basename(format_file(file))}:{line}",
                refused=refused,
                changes=tuple(changes),
                nearest=nearest,
                help=tuple(advice),
                budget=str(full[0]) if full else over,
                by=call.by,
                counts=counts,
            )
            record = TraceRecord(trace, aspects)
            self._records.append(record)
            if refused:
                self.count += 1
                raise RetraceError(str(trace))
            self._count(1, counts=counts)
        return record

    def _over_budget(self) -> str:
        """Describe the budget that another trace by a call exceeds; "" if none is."""
        if self.budget is None or self.counted < self.budget:
            return ""
        from .messages import ordinal

        by_calls = f"the {ordinal(self.counted + 1)} by a call, "
        return f"{by_calls if self.counted < self.count else ''}budget {self.budget}"

    def _count(self, number: int, *, counts: bool) -> None:
        """Count a trace, or one that has failed after it was counted."""
        self.count += number
        self.counted += number * counts
        for block in _open_blocks():
            block.seen[self] += number


def traces_as_json() -> str:
    """Return the traces of all generated functions that have any, as JSON."""
    functions = [
        {
            "function": f"{history.module}.{history.name}".lstrip("."),
            "budget": history.budget,
            "count": history.count,
            "traces": [dataclasses.asdict(trace) for trace in history.traces],
        }
        for history in sorted(_histories, key=lambda one: (one.module, one.name))
        if history.count
    ]
    return json.dumps({"functions": functions}, indent=2)


# --- blocks of `max_traces`


# The blocks that a thread is in, as `all`.
_blocks: Final = threading.local()


def _open_blocks() -> list["max_traces"]:
    return [*getattr(_blocks, "all", ())]


class max_traces:
    """Limit how often functions are traced within the `with` statement.

    Args:
        number: the allowed number of traces; 0: no trace is allowed in the block
        functions: the functions to limit; if omitted, all generated functions

    Raises:
        RetraceError: raised by the first call beyond the limit
    """

    def __init__(self, number: int, *functions: object) -> None:
        self._number = number
        self._histories = [getattr(each, "_history", None) for each in functions]
        if type(number) is not int or number < 0 or None in self._histories:
            arguments = ", ".join(map(repr, (number, *functions)))
            raise TypeError(
                "`max_traces` takes a number of traces, and then generated functions, as "
                f"in `max_traces(1, step)`, but was given {arguments}"
            )

    def __enter__(self) -> None:
        self.seen = collections.Counter[Any]()
        _blocks.all = [*getattr(_blocks, "all", ()), self]

    def __exit__(self, *_: object) -> None:
        _blocks.all = [each for each in _blocks.all if each is not self]

    def __str__(self) -> str:
        return f"max_traces({self._number})"

    def is_full(self, history: object) -> bool:
        """Return whether another trace of a function would exceed the limit."""
        is_meant = not self._histories or history in self._histories
        return is_meant and self.seen[history] >= self._number
