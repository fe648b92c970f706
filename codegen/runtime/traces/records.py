"""The traces of each function: recorded when JAX traces, compared, held against budgets.

    step.traces[-1].changes         # (Change("plate.thickness", "0.001", "0.002", "static"),)
    with max_traces(1, step):       # RetraceError at the second one
        ...

A function has one history. How long JAX takes, and that it compiles where nothing is
traced again, as for arrays that lie elsewhere, is heard of from `jax.monitoring`. The
generated packages of a process know each other's functions by the name of this module.
"""

import collections
import contextlib
import dataclasses
import json
import logging
import os
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Generator, Sequence
from typing import Any, Final

import jax

from ..keys.interning import reentrant_lock
from ..settings import settings
from ..tracing import is_tracing
from .calls import Call, current_call
from .changes import Change, find_changes
from .described import Description, describe
from .jits import Compile, Jits
from .texts import Trace, Traces, helps

_TRACES_MAX: Final = 64
_LOWERS: Final = "/jax/core/compile/jaxpr_to_mlir_module_duration"
_COMPILES: Final = "/jax/core/compile/backend_compile_duration"
_FINDS: Final = "/jax/compilation_cache/cache_hits"
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
    # Those of `max_traces` that have counted it.
    blocks: list[Any]
    is_compiled: bool = False

    def update(self, **changes: Any) -> None:
        self.trace = dataclasses.replace(self.trace, **changes)


class History:
    """The traces of a function, and what JAX compiles for it."""

    def __init__(
        self,
        name: str,
        module: str,
        parameters: tuple[str, ...],
        budget: int | None,
        jit: Compile,
        keep: Compile,
    ) -> None:
        """Record nothing yet.

        Args:
            name: the declared one
            module: where it stands
            parameters: their names
            budget: how often it may be traced; None: as often as it likes
            jit: what compiles calls
            keep: what compiles those that donate nothing
        """
        if budget is not None and (type(budget) is not int or budget < 1):
            raise ValueError(f"`traces` of `{name}` is 1 or more, not {budget!r}")
        self.name = name
        self.module = module
        self.parameters = parameters
        self.budget = budget
        # Of all traces, and of those that were not refused.
        self.count = self.accepted = 0
        self._compile = jit, keep
        self._jits: Jits | None = None
        self._records = collections.deque[_Record](maxlen=_TRACES_MAX)
        _histories.add(self)

    @property
    def traces(self) -> Traces:
        """The latest traces."""
        return Traces([record.trace for record in [*self._records]])

    def jits(self, origin: Callable[..., Any]) -> Jits:
        """Return what compiles the function: the same until that is forgotten."""
        jits = self._jits or Jits(self, origin, *self._compile)
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

    def compile(self, call: Call) -> None:
        """Note that JAX begins to compile for a call of this function.

        Raises:
            RetraceError: it is not to be compiled again
        """
        blocks = _open_blocks()
        # What was lowered before a `max_traces` began is compiled within it all the same.
        same = [each for each in self._same(call) if each.blocks == blocks]
        traced = [each for each in same if not each.is_compiled]
        record = traced[0] if traced else self._begin(call, verb="compiled")
        record.is_compiled = True

    def finish(self, call: Call, seconds: float, *, is_cached: bool = False) -> None:
        """Note how long JAX has lowered or compiled, or that it has found what it compiles."""
        for record in self._same(call)[:1]:
            trace = record.trace
            is_cached |= trace.is_cached
            record.update(seconds=trace.seconds + seconds, is_cached=is_cached)

    def _same(self, call: Call) -> list[_Record]:
        """Return the records in which nothing differs from a call, the latest first."""
        description = _described(call)
        # A copy, as other threads may trace meanwhile.
        return [
            each
            for each in reversed([*self._records])
            if not each.trace.refused and each.description == description
        ]

    def _begin(self, call: Call, verb: str = "traced") -> _Record:
        description = _described(call)
        mode = settings.traces
        with _lock:
            full = [block for block in _open_blocks() if block.is_full(self)]
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
            record = _Record(trace, description, _open_blocks())
            self._records.append(record)
            self._accept(not refused)
        if refused:
            raise (full[0].error if full else RetraceError)(str(trace))
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
        """Compare it with the program that differs in the fewest fields, the latest of them."""
        earlier = [each for each in self._records if not each.trace.refused]
        found: list[tuple[list[Change], int]] = [
            (find_changes(each.description, description), each.trace.number)
            for each in reversed(earlier)
        ]
        changes, nearest = min(
            found, key=lambda one: len({each.path for each in one[0]}), default=([], 0)
        )
        descriptions = [*(each.description for each in earlier), description]
        help_ = helps(changes, descriptions, has_budget=self.budget is not None)
        return {"changes": tuple(changes), "nearest": nearest, "help": tuple(help_)}

    def _accept(self, number: int) -> None:
        self.accepted += number
        for block in _open_blocks():
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
    """Return the traces of all generated functions that have some, as JSON."""
    found = [history for module in _modules() for history in module._histories]  # noqa: SLF001
    histories = sorted(found, key=lambda one: (one.module, one.name))
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


def _modules() -> list[Any]:
    """Return this module, and that of every other generated package of this process."""
    named = [*sys.modules.items()]
    found = [
        module for name, module in named if name.endswith("runtime.traces.records")
    ]
    return [module for module in found if hasattr(module, "_blocks")]


# --- blocks of `max_traces`


@dataclasses.dataclass(eq=False)
class _Block:
    """A `with max_traces(...)` that this thread is in."""

    number: int
    # Of the functions that are meant; empty: of all.
    histories: frozenset[Any]
    seen: collections.Counter[Any] = dataclasses.field(
        default_factory=collections.Counter[Any]
    )

    # What those raise that are of another package, too.
    error = RetraceError

    def is_full(self, history: Any) -> bool:
        is_meant = not self.histories or history in self.histories
        return is_meant and self.seen[history] >= self.number

    def __str__(self) -> str:
        return f"max_traces({self.number})"


# Those of a thread, as `all`.
_blocks: Final = threading.local()


def _open_blocks() -> list[Any]:
    return [b for module in _modules() for b in getattr(module._blocks, "all", ())]  # noqa: SLF001


@contextlib.contextmanager
def max_traces(number: int, *functions: Any) -> Generator[None]:
    """Refuse that a function is traced more often within the `with` statement.

    Args:
        number: how often; 0: nothing may be compiled here
        functions: those that are meant; without any, every generated one

    Raises:
        RetraceError: by the call that would be one too many
    """
    if type(number) is not int or number < 0:
        raise TypeError(
            "`max_traces` takes a number of traces, and then functions, as in "
            f"`max_traces(1, step)`, but was given {number!r}"
        )
    for function in functions:
        if not hasattr(function, "_history"):
            raise TypeError(
                f"`max_traces` takes generated functions, but was given {function!r}"
            )
    histories = frozenset(function._history for function in functions)  # noqa: SLF001
    block = _Block(number, histories)
    before: tuple[_Block, ...] = getattr(_blocks, "all", ())
    _blocks.all = (*before, block)
    try:
        yield
    finally:
        _blocks.all = before


# --- what JAX does


def _listen(register: Any, events: Sequence[str], note: Callable[..., None]) -> None:
    """Note what JAX says of the function that it is called for."""

    def heard(event: str, *values: float, **about: Any) -> None:
        call = current_call() if event in events else None
        if call is not None:
            name = call.history.name
            # What the function's module is called, by one version or another.
            if about.get("fun_name", name) in (name, f"jit({name})", f"jit_{name}"):
                note(call, *values)

    register(heard)


_monitoring: Any = jax.monitoring
_listen(
    _monitoring.register_scalar_listener,  # of the time when it begins
    [_COMPILES],
    lambda call, _: call.history.compile(call),
)
_listen(
    _monitoring.register_event_duration_secs_listener,
    [_LOWERS, _COMPILES],
    lambda call, seconds: call.history.finish(call, seconds),
)
_listen(
    _monitoring.register_event_listener,
    [_FINDS],
    lambda call: call.history.finish(call, 0.0, is_cached=True),
)
