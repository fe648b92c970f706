"""The traces of each function: recorded when JAX traces, compared, checked against budgets.

    step.traces[-1].changes         # (Change("plate.thickness", "0.001", "0.002", "static"),)
    with max_traces(1, step):       # RetraceError at the second one
        ...

A function has one history. `jax.monitoring` reports JAX's times. It also reports
compilations without a new trace, for example for arrays with another placement.
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
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import jax

from ..keys.interning import reentrant_lock
from ..options import settings
from ..tracing import ProgramCall, current_call, is_tracing

if TYPE_CHECKING:
    from .messages import Trace, Traces
    from .signature import Aspects

# `jax.jit` with the right static and donated arguments for the key and the two lists of
# leaves.
Compile: TypeAlias = Callable[[Callable[..., Any]], Any]

_TRACES_MAX: Final = 64
_LOWERS: Final = "/jax/core/compile/jaxpr_to_mlir_module_duration"
_COMPILES: Final = "/jax/core/compile/backend_compile_duration"
_FINDS: Final = "/jax/compilation_cache/cache_hits"
_logger: Final = logging.getLogger("codegen.traces")
_histories: Final = weakref.WeakSet["History"]()
_lock: Final = reentrant_lock()
_config: Final[Any] = jax.config


class RetraceError(RuntimeError):
    """A function would be traced more often than allowed."""


class RetraceWarning(UserWarning):
    """A function was traced more often than its budget allows."""


class _TraceRecord:
    """A trace, with the data that distinguish it from others."""

    def __init__(
        self, trace: "Trace", aspects: "Aspects", blocks: list["max_traces"]
    ) -> None:
        self.trace, self.aspects = trace, aspects
        # The `max_traces` blocks that have counted it.
        self.blocks = blocks
        self.is_compiled = self.is_reported = False
        self.thread = threading.get_ident()

    def update(self, **changes: Any) -> None:
        self.trace = dataclasses.replace(self.trace, **changes)

    def report(self, call: ProgramCall) -> None:
        """Warn of it, or log it, once, when its duration is known."""
        trace, text, mode = self.trace, str(self.trace), settings.traces
        if self.is_reported:
            return
        self.is_reported = True
        if mode == "warn" and trace.budget:
            warnings.warn_explicit(text, RetraceWarning, *call.place)
        elif mode == "log" and trace.number > 1:
            if os.environ.get("CODEGEN_TRACES") and not _logger.hasHandlers():
                # The environment variable must show the log whatever logging setup
                # there is.
                _logger.addHandler(logging.StreamHandler())
                _logger.setLevel(logging.INFO)
            _logger.info(text)


class History:
    """The traces of a function, and its compiled functions."""

    # The number of traces; of those that were requested explicitly; and of those that
    # the budget counts, which are traces of calls that were not refused.
    count = 0
    explicit = 0
    counted = 0
    # The compiled function that retains everything, and the one that donates.
    pair: tuple[Any, Any] | None = None

    def __init__(
        self,
        name: str,
        module: str,
        parameters: tuple[str, ...],
        budget: int | None,
        jit: Compile,
        keep: Compile,
    ) -> None:
        """Begin a history without traces.

        Args:
            name: the declared name of the function
            module: the name of its module
            parameters: the names of its parameters
            budget: the allowed number of traces; None: unlimited
            jit: compiles the function for calls
            keep: compiles the function for calls that donate nothing
        """
        if budget is not None and (type(budget) is not int or budget < 1):
            raise ValueError(f"`traces` of `{name}` must be 1 or more, not {budget!r}")
        self.name, self.module, self.parameters = name, module, parameters
        self.budget, self.jit, self.keep = budget, jit, keep
        self._records = collections.deque[_TraceRecord](maxlen=_TRACES_MAX)
        _histories.add(self)

    @property
    def traces(self) -> "Traces":
        """The latest traces."""
        from .messages import Traces

        return Traces([record.trace for record in [*self._records]])

    @contextlib.contextmanager
    def tracing(self) -> Generator[None]:
        """Record a trace, if JAX traces here.

        Raises:
            RetraceError: a trace is not allowed
        """
        call = current_call()
        if call is None or not is_tracing() or _config.jax_disable_jit:
            yield
            return
        from .signature import describe_call

        record = self._begin(call, describe_call(call))
        start = time.perf_counter()
        try:
            yield
            record.update(seconds=time.perf_counter() - start)
            if not call.compiles:
                record.report(call)
        except BaseException:
            # There is no program.
            with _lock, contextlib.suppress(ValueError):
                self.count -= 1
                self.explicit -= not record.trace.counts
                self._accept(-1, counts=record.trace.counts)
                self._records.remove(record)
            raise

    def record_compilation(self, call: ProgramCall) -> None:
        """Record that JAX begins to compile for a call of this function.

        Raises:
            RetraceError: another compilation is not allowed
        """
        from .signature import describe_call

        # A program that was lowered before a `max_traces` block counts if it is
        # compiled within it.
        aspects, blocks = describe_call(call), _open_blocks()
        waiting = (r for r in self._same(aspects) if not r.is_compiled)
        record = next((r for r in waiting if r.blocks == blocks), None)
        if record is None:
            record = self._begin(call, aspects, verb="compiled")
        elif call.by == "call" and not record.trace.counts:
            self._count(record, call)
        record.is_compiled = True
        # Within another trace, some aspects were not known. A context that appeared
        # during the trace is not part of JAX's key.
        known = {p: aspects.get(p, was) for p, was in record.aspects.items()}
        record.aspects = known or aspects

    def finish(self, call: ProgramCall, event: str, seconds: float) -> None:
        """Record that JAX has lowered or compiled, or has found a compiled program."""
        from .signature import describe_call

        record = next(self._same(describe_call(call)), None)
        if record is not None:
            is_cached = record.trace.is_cached or event == _FINDS
            record.update(seconds=record.trace.seconds + seconds, is_cached=is_cached)
            if event == _COMPILES:
                try:
                    record.report(call)
                except RetraceWarning:  # as an error: it ends the call
                    with _lock:
                        record.update(refused=True)
                        self._accept(-1, counts=record.trace.counts)
                    raise

    def _same(self, aspects: "Aspects") -> Iterator[_TraceRecord]:
        """Yield the records that do not differ from a call, the latest first."""
        from .messages import find_changes

        this = threading.get_ident()
        # Another thread may trace and compile the same call at the same time.
        for record in sorted(self._earlier(), key=lambda one: one.thread != this):
            if not any(find_changes(record.aspects, aspects, {})):
                yield record

    def _earlier(self) -> list[_TraceRecord]:
        """Return the records of traces that were not refused, the latest first."""
        # A copy, as other threads may add traces meanwhile.
        return [r for r in reversed([*self._records]) if not r.trace.refused]

    def _begin(
        self, call: ProgramCall, aspects: "Aspects", verb: str = "traced"
    ) -> _TraceRecord:
        from .messages import Trace, axis_names, find_changes, iter_advice
        from .signature import absent_contexts

        names, counts = axis_names(call), call.by == "call"
        with _lock:
            blocks = _open_blocks()
            full = [block for block in blocks if block.is_full(self)]
            self.count += 1
            self.explicit += not counts
            over = self._over_budget(self.count) if counts else ""
            refused = bool(full) or (bool(over) and settings.traces == "error")
            earlier = self._earlier()
            # JAX traces again after a context has appeared, whatever its value.
            unknown = absent_contexts(aspects)
            was = [each.aspects and unknown | each.aspects for each in earlier]
            # Compare with the program that differs in the fewest fields; the latest if
            # several do.
            changes, nearest = min(
                [
                    ([*find_changes(one, aspects, names)], each.trace.number)
                    for one, each in zip(was, earlier, strict=True)
                ],
                key=lambda one: len({change.path for change in one[0]}),
                default=([], 0),
            )
            known = [aspects, *(record.aspects for record in earlier)]
            trace = Trace(
                self.name,
                self.count,
                call.where,
                refused=refused,
                changes=tuple(changes),
                nearest=nearest,
                help=tuple(
                    iter_advice(changes, known, has_budget=self.budget is not None)
                ),
                budget=str(full[0]) if full else over,
                verb=verb,
                by=call.by,
                counts=counts,
            )
            record = _TraceRecord(trace, aspects, blocks)
            self._records.append(record)
            self._accept(not refused, counts=counts)
        if refused:
            raise RetraceError(str(trace))
        return record

    def _count(self, record: _TraceRecord, call: ProgramCall) -> None:
        """Count an explicit trace against the budget when a call compiles it.

        Raises:
            RetraceError: a compilation is not allowed
        """
        with _lock:
            over = self._over_budget(self.count + 1)
            if over and settings.traces == "error":
                self.count += 1
                trace = dataclasses.replace(
                    record.trace,
                    number=self.count,
                    where=call.where,
                    seconds=0.0,
                    refused=True,
                    budget=over,
                    verb="compiled",
                    by="call",
                    counts=True,
                )
                self._records.append(_TraceRecord(trace, record.aspects, []))
                raise RetraceError(str(trace))
            record.update(counts=True, budget=over)
            record.is_reported &= not over
            self.explicit -= 1
            self.counted += 1

    def _over_budget(self, count: int) -> str:
        """Describe the budget that is exceeded, if a call is the last of that many
        traces.
        """
        if self.budget is None or self.counted < self.budget:
            return ""
        from .messages import ordinal

        by_calls = f"the {ordinal(count - self.explicit)} by a call, "
        return f"{by_calls if self.explicit else ''}budget {self.budget}"

    def _accept(self, number: int, *, counts: bool) -> None:
        """Record that a trace was accepted, or did not happen."""
        self.counted += number * counts
        for block in _open_blocks():
            block.seen[self] += number


def traces_as_json() -> str:
    """Return the traces of all generated functions that have any, as JSON."""
    functions = [
        {
            "function": f"{history.module}.{history.name}",
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
        number: the allowed number of traces; 0: no compilation is allowed in the block
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


# --- JAX events


def _call_of(about: dict[str, Any]) -> ProgramCall | None:
    """Return the call to which a JAX event belongs, if it is a call of a generated
    function.
    """
    call = current_call()
    if call is not None:
        name = call.history.name
        # Versions of JAX name the function's module differently.
        if about.get("fun_name", name) in (name, f"jit({name})", f"jit_{name}"):
            return call
    return None


def _begins(event: str, _time: float, **about: object) -> None:
    if event == _COMPILES and (call := _call_of(about)):
        call.history.record_compilation(call)


def _ends(event: str, seconds: float = 0.0, **about: object) -> None:
    if event in (_LOWERS, _COMPILES, _FINDS) and (call := _call_of(about)):
        call.history.finish(call, event, seconds)


_monitoring: Final[Any] = jax.monitoring
_monitoring.register_scalar_listener(_begins)
_monitoring.register_event_duration_secs_listener(_ends)
_monitoring.register_event_listener(_ends)
