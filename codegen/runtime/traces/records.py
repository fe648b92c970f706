"""The traces of each function: recorded when JAX traces, compared, held against budgets.

    step.traces[-1].changes         # (Change("plate.thickness", "0.001", "0.002", "static"),)
    with max_traces(1, step):       # RetraceError at the second one
        ...

A function has one history. How long JAX takes, and that it compiles where nothing is
traced again, as for arrays that lie elsewhere, is heard of from `jax.monitoring`.
"""

import collections
import contextlib
import dataclasses
import inspect
import json
import logging
import os
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Generator
from typing import Any, Final

import jax

from ..keys.interning import reentrant_lock
from ..settings import settings
from ..tracing import is_tracing
from .calls import Call, current_call
from .described import Change, Description, describe, find_changes
from .jits import Jits
from .texts import Trace, Traces, helps

_TRACES_MAX: Final = 64
_EVENTS: Final = (
    "/jax/core/compile/jaxpr_to_mlir_module_duration",
    "/jax/core/compile/backend_compile_duration",
    "/jax/compilation_cache/cache_hits",
)
_logger: Final = logging.getLogger("codegen.traces")
_histories: Final = weakref.WeakSet["History"]()
_lock: Final = reentrant_lock()
_config: Final[Any] = jax.config


class RetraceError(RuntimeError):
    """A function would be traced more often than it may be."""


class RetraceWarning(UserWarning):
    """A function is traced more often than its budget says."""


@dataclasses.dataclass(eq=False)
class _Record:
    """A trace, and what tells it from others."""

    trace: Trace
    description: Description
    is_compiled: bool = False

    def update(self, **changes: Any) -> None:
        self.trace = dataclasses.replace(self.trace, **changes)


class History:
    """The traces of a function, and what JAX compiles for it."""

    def __init__(
        self, name: str, bind: Any, budget: int | None, *, keep_unused: bool
    ) -> None:
        """Record nothing yet.

        Args:
            name: the declared one
            bind: what has its parameters, in its module
            budget: how often it may be traced; None: as often as it likes
            keep_unused: `jax.jit`'s option
        """
        if budget is not None and (type(budget) is not int or budget < 1):
            raise ValueError(f"`traces` of `{name}` is 1 or more, not {budget!r}")
        self.name = name
        self.module: str = bind.__module__
        self.parameters = tuple(inspect.signature(bind).parameters)
        self.budget = budget
        # Of all traces, and of those that were not refused.
        self.count = self.accepted = 0
        self._keep_unused = keep_unused
        self._jits: Jits | None = None
        self._records = collections.deque[_Record](maxlen=_TRACES_MAX)
        _histories.add(self)

    @property
    def traces(self) -> Traces:
        """The latest traces."""
        return Traces([record.trace for record in [*self._records]])

    def jits(self, origin: Callable[..., Any]) -> Jits:
        """Return what compiles the function: the same until that is forgotten."""
        jits = self._jits or Jits(self, origin, keep_unused=self._keep_unused)
        self._jits = jits
        return jits

    def forget(self) -> None:
        """Have everything traced and compiled anew."""
        self._jits = None

    @contextlib.contextmanager
    def tracing(self) -> Generator[None]:
        """Record what is traced here, if JAX does so.

        Raises:
            RetraceError: it is not to be traced
        """
        call = current_call()
        if call is None or not is_tracing() or _config.jax_disable_jit:
            yield
            return
        record = self._begin(call)
        start = time.perf_counter()
        try:
            yield
        except BaseException:
            # There is no program.
            with _lock, contextlib.suppress(ValueError):
                self.count -= 1
                self._accept(-1)
                self._records.remove(record)
            raise
        record.update(seconds=time.perf_counter() - start)

    def hear(self, event: str, seconds: float, call: Call) -> None:
        """Note what JAX has done for a call of this function."""
        description = _described(call)
        record: _Record | None = None
        for earlier in reversed([*self._records]):
            is_it = not find_changes(earlier.description, description)
            if is_it and not earlier.trace.refused:
                record = earlier
                break
        is_lowered = event == "jaxpr_to_mlir_module_duration" and call.stage == "call"
        if is_lowered and (record is None or record.is_compiled):
            record = self._begin(call, verb="compiled")
        if record is None:
            return
        if event == "cache_hits" and not record.is_compiled:
            record.update(is_cached=True)
        record.is_compiled |= event == "backend_compile_duration"
        record.update(seconds=record.trace.seconds + seconds)

    def _begin(self, call: Call, verb: str = "traced") -> _Record:
        description = _described(call)
        mode = settings.traces
        with _lock:
            full = [block for block in _blocks.all if block.is_full(self)]
            is_over = self.budget is not None and self.accepted >= self.budget
            refused = bool(full) or (is_over and mode == "error")
            self.count += 1
            trace = Trace(
                self.name,
                self.count,
                call.where,
                refused=refused,
                **self._compared(description),
                budget=str(full[0]) if full else f"budget {self.budget}" * is_over,
                verb=verb,
                by=call.stage,
            )
            record = _Record(trace, description)
            self._records.append(record)
            self._accept(not refused)
        if refused:
            raise RetraceError(str(trace))
        if mode == "log" and trace.number > 1:
            _log(str(trace))
        elif mode == "warn" and is_over:
            try:
                warnings.warn_explicit(str(trace), RetraceWarning, *call.place)
            except RetraceWarning:
                record.update(refused=True)
                self._accept(-1)
                raise
        return record

    def _compared(self, description: Description) -> dict[str, Any]:
        """Compare it with the earlier programs: of those that are as near, the latest."""
        earlier = [each for each in self._records if not each.trace.refused]
        found: list[tuple[list[Change], int]] = [
            (find_changes(each.description, description), each.trace.number)
            for each in reversed(earlier)
        ]
        changes, nearest = min(found, key=lambda one: len(one[0]), default=([], 0))
        descriptions = [*(each.description for each in earlier), description]
        help_ = helps(changes, descriptions, has_budget=self.budget is not None)
        return {"changes": tuple(changes), "nearest": nearest, "help": tuple(help_)}

    def _accept(self, number: int) -> None:
        self.accepted += number
        for block in _blocks.all:
            block.seen[self] += number


def _described(call: Call) -> Description:
    try:
        return describe(call)
    except Exception:  # noqa: BLE001  An odd argument must not end a call that would go well.
        return {}


def _log(text: str) -> None:
    if os.environ.get("CODEGEN_TRACES") and not _logger.hasHandlers():
        # Who asks by the environment is to see it, whatever the program has set up.
        _logger.addHandler(logging.StreamHandler())
        _logger.setLevel(logging.INFO)
    _logger.info(text)


def traces_as_json() -> str:
    """Return the traces of all functions of this package that have some, as JSON."""
    histories = sorted(_histories, key=lambda one: (one.module, one.name))
    functions = [
        {
            "function": f"{history.module}.{history.name}",
            "budget": history.budget,
            "count": history.count,
            "traces": [dataclasses.asdict(trace) for trace in history.traces],
        }
        for history in histories
        if history.count
    ]
    return json.dumps({"functions": functions}, indent=2)


# --- blocks of `max_traces`


class _Block:
    """A `with max_traces(...)` that this thread is in."""

    def __init__(self, number: int, histories: frozenset[History]) -> None:
        self._number = number
        self._histories = histories
        self.seen = collections.Counter[History]()

    def is_full(self, history: History) -> bool:
        is_meant = not self._histories or history in self._histories
        return is_meant and self.seen[history] >= self._number

    def __str__(self) -> str:
        return f"max_traces({self._number})"


class _Blocks(threading.local):
    def __init__(self) -> None:
        self.all: list[_Block] = []


_blocks: Final = _Blocks()


@contextlib.contextmanager
def max_traces(number: int, *functions: Any) -> Generator[None]:
    """Refuse that a function is traced more often within the `with` statement.

    Args:
        number: how often; 0: nothing may be compiled here
        functions: some of this package; without any, all of them are meant

    Raises:
        RetraceError: by the call that would be one too many
    """
    if type(number) is not int or number < 0:
        raise TypeError(
            "`max_traces` takes a number of traces, and then functions, as in "
            f"`max_traces(1, step)`, but was given {number!r}"
        )
    histories = set[History]()
    for function in functions:
        history = getattr(function, "_history", None)
        if not isinstance(history, History):
            raise TypeError(
                "`max_traces` takes functions of the package that it is of, but was "
                f"given {function!r}"
            )
        histories.add(history)
    block = _Block(number, frozenset(histories))
    _blocks.all.append(block)
    try:
        yield
    finally:
        _blocks.all.remove(block)


# --- what JAX does


def _heard(event: str, duration_secs: float, /, **about: Any) -> None:
    call = current_call() if event in _EVENTS else None
    if call is None:
        return
    history: History = call.history
    # What the function's module is called, by one version or another.
    names = (history.name, f"jit({history.name})", f"jit_{history.name}")
    if about.get("fun_name", history.name) in names:
        history.hear(event.rpartition("/")[2], duration_secs, call)


def _happened(event: str, **about: Any) -> None:
    _heard(event, 0.0, **about)


_listen: Any = jax.monitoring.register_event_duration_secs_listener
_listen(_heard)
jax.monitoring.register_event_listener(_happened)
