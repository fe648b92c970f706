"""What can be set for all functions of this package, at any time.

settings.unused_donation = "error"
with settings(traces="error", checks=True):     # in this thread alone
    ...
"""

import contextlib
import os
import threading
from collections import ChainMap
from collections.abc import Generator, MutableMapping
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

Report: TypeAlias = Literal["warn", "error", "ignore"]
TraceReport: TypeAlias = Literal["warn", "error", "log", "off"]
T = TypeVar("T")

# What `checks` of `[tool.codegen]` says.
_CHECKS: Final = False
_TRACES: Final[Any] = os.environ.get("CODEGEN_TRACES") or "warn"


class _Switch(Generic[T]):
    """A switch of all threads, but of those that are within a `with` that sets it."""

    def __init__(self, first: T, *choices: T) -> None:
        self.first, self._choices = first, choices

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __get__(self, settings: "Settings", owner: type[Any]) -> T:
        value: T = settings.switches[self._name]
        return value

    def __set__(self, settings: "Settings", value: T) -> None:
        settings.assign({self._name: self.checked(value)})

    def checked(self, value: T) -> T:
        if value not in self._choices:
            raise ValueError(f"{self._name} is one of {self._choices}, not {value!r}")
        return value


class Settings:
    """The switches of this package."""

    __slots__ = ("_all", "_lock", "_thread", "_within", "is_strict")

    # Whether functions hold every object among their arguments, and in their result,
    # against its declared dtypes and shapes, when they are traced.
    checks = _Switch[bool](_CHECKS, False, True)
    # What a donation does that XLA cannot use: warn, once for each compilation. "error":
    # every call raises it before anything has run, and takes a little longer.
    unused_donation = _Switch[Report]("warn", "warn", "error", "ignore")
    # What a trace does beyond a function's budget. "log": each but the first is logged.
    traces = _Switch[TraceReport](_TRACES, "warn", "error", "log", "off")

    def __init__(self) -> None:
        declared: dict[str, Any] = {
            name: each
            for name, each in vars(Settings).items()
            if isinstance(each, _Switch)
        }
        self._all: dict[str, Any] = {
            name: switch.checked(switch.first) for name, switch in declared.items()
        }
        # Those of every `with` that has not ended, and, by `switches`, of this thread.
        self._within: list[MutableMapping[str, Any]] = []
        self._thread = threading.local()
        self._lock = threading.Lock()
        self.assign({})

    @property
    def switches(self) -> MutableMapping[str, Any]:
        """All switches, as they are in this thread."""
        switches: MutableMapping[str, Any]
        switches = getattr(self._thread, "switches", self._all)
        return switches

    def assign(self, switches: MutableMapping[str, Any]) -> None:
        """Set switches in all threads."""
        with self._lock:
            self._all.update(switches)
            # Whether some thread checks or raises. Read by every call, so no property.
            self.is_strict = any(
                each.get("checks") or each.get("unused_donation") == "error"
                for each in (self._all, *self._within)
            )

    @contextlib.contextmanager
    def __call__(
        self,
        *,
        checks: bool | None = None,
        unused_donation: Report | None = None,
        traces: TraceReport | None = None,
    ) -> Generator[None, None, None]:
        """Set switches in this thread alone, until the `with` statement ends."""
        given = {"checks": checks, "unused_donation": unused_donation, "traces": traces}
        given = {
            name: vars(Settings)[name].checked(value)
            for name, value in given.items()
            if value is not None
        }
        before = self.switches
        self._thread.switches = ChainMap(given, before)
        self._within.append(given)
        self.assign({})
        try:
            yield
        finally:
            self._thread.switches = before
            self._within.remove(given)
            self.assign({})


# Not Final: the package has a name for it that is the module's, too.
settings = Settings()
