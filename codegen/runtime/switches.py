"""Settings for all functions of this package. They can be changed at any time.

settings.unused_donation = "error"
with settings(traces="error", checks=False):    # only in this thread
    ...
"""

import contextlib
import os
import threading
from collections import ChainMap
from collections.abc import Generator, MutableMapping
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

Report: TypeAlias = Literal["warn", "error", "ignore"]
TraceReport: TypeAlias = Literal["warn", "error", "log", "off"]
Switches: TypeAlias = MutableMapping[str, Any]
T = TypeVar("T")

_TRACES: Final = {"CODEGEN_TRACES": os.environ.get("CODEGEN_TRACES") or "warn"}
_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "checks": (False, True),
    "unused_donation": get_args(Report),
    "traces": get_args(TraceReport),
    "CODEGEN_TRACES": get_args(TraceReport),
}
# The switches of all threads, of every `with` that has not ended (by id), and of each
# thread.
_all: Final[Switches] = {}
_within: Final[dict[int, Switches]] = {}
_thread: Final = threading.local()
_lock: Final = threading.Lock()


class _Switch(Generic[T]):
    """A switch for all threads, except within a `with` statement that sets it."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __get__(self, settings: "Settings", owner: type[Any]) -> T:
        value: T = getattr(_thread, "switches", _all)[self._name]
        return value

    def __set__(self, settings: "Settings", value: T) -> None:
        settings.assign(_check_switches({self._name: value}))


class Settings:
    """The switches of this package."""

    # Whether a call must look up the switches. Every call reads it, so it is not a
    # property.
    __slots__ = ("is_changed",)

    # Whether functions check the dtypes and shapes of their arguments and result while
    # they are traced. A function that is declared with `checks=False`, or by
    # `[tool.codegen] checks = false`, is never checked.
    checks = _Switch[bool]()
    # The report for a donation that XLA cannot use. "warn": once for each trace.
    # "error": every such call raises an error before it runs anything, which takes a
    # little longer.
    unused_donation = _Switch[Report]()
    # The report for a trace beyond a function's budget. "log": log each trace except
    # the first.
    traces = _Switch[TraceReport]()

    def assign(self, switches: Switches) -> None:
        """Set switches in all threads."""
        with _lock:
            _all.update(switches)
            self.is_changed = any(
                not each.get("checks", True) or each.get("unused_donation") == "error"
                for each in (_all, *_within.values())
            )

    @contextlib.contextmanager
    def __call__(
        self,
        *,
        checks: bool | None = None,
        unused_donation: Report | None = None,
        traces: TraceReport | None = None,
    ) -> Generator[None]:
        """Set switches only in this thread, until the `with` statement ends."""
        switches = {
            "checks": checks,
            "unused_donation": unused_donation,
            "traces": traces,
        }
        switches = _check_switches(
            {n: value for n, value in switches.items() if value is not None}
        )
        before = getattr(_thread, "switches", _all)
        try:  # Also an interrupt here ends in `finally`.
            _within[id(switches)] = switches
            _thread.switches = ChainMap(switches, before)
            self.assign({})
            yield
        finally:
            _thread.switches = before
            _within.pop(id(switches), None)
            self.assign({})


def _check_switches(switches: dict[str, Any]) -> dict[str, Any]:
    for name, value in switches.items():
        if value not in _CHOICES[name]:
            raise ValueError(f"`{name}` must be one of {_CHOICES[name]}, not {value!r}")
    return switches


settings: Final = Settings()
settings.checks = True
settings.unused_donation = "warn"
(settings.traces,) = _check_switches(_TRACES).values()
