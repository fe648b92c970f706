"""What can be set for all functions of this package, at any time.

settings.unused_donation = "error"
with settings(traces="error", checks=True):     # in this thread alone
    ...
"""

import contextlib
import os
import threading
from collections.abc import Generator, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

Report: TypeAlias = Literal["warn", "error", "ignore"]
TraceReport: TypeAlias = Literal["warn", "error", "log", "off"]

# What `checks` of `[tool.codegen]` says.
_CHECKS: Final = False
_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "checks": (False, True),
    "unused_donation": get_args(Report),
    "traces": get_args(TraceReport),
    "CODEGEN_TRACES": get_args(TraceReport),
}
# What every `with` sets that has not ended.
_within: Final[list[Mapping[str, Any]]] = []
_lock: Final = threading.Lock()


class Settings(threading.local):
    """The switches of this package: those of all threads are the class's, of a `with` its own."""

    # Whether functions hold every object among their arguments, and in their result,
    # against its declared dtypes and shapes, when they are traced.
    checks: bool = _CHECKS
    # What a donation does that XLA cannot use: warn, once for each compilation. "error":
    # every call raises it before anything has run, and takes a little longer.
    unused_donation: Report = "warn"
    # What a trace does beyond a function's budget. "log": each but the first is logged.
    traces: TraceReport = "warn"
    # Whether some thread checks or raises. Read by every call, so no property.
    is_strict: bool = _CHECKS

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _CHOICES:
            raise AttributeError(f"there is no setting `{name}`")
        setattr(Settings, name, _checked(name, value))
        _note_strict()

    @contextlib.contextmanager
    def __call__(
        self,
        *,
        checks: bool | None = None,
        unused_donation: Report | None = None,
        traces: TraceReport | None = None,
    ) -> Generator[None]:
        """Set switches in this thread alone, until the `with` statement ends."""
        named = {"checks": checks, "unused_donation": unused_donation, "traces": traces}
        given = {
            n: _checked(n, value) for n, value in named.items() if value is not None
        }
        own = vars(self)
        before = own.copy()
        own.update(given)
        _within.append(given)
        _note_strict()
        try:
            yield
        finally:
            own.clear()
            own.update(before)
            _within.remove(given)
            _note_strict()


def _checked(name: str, value: Any) -> Any:
    if value not in _CHOICES[name]:
        raise ValueError(f"{name} is one of {_CHOICES[name]}, not {value!r}")
    return value


def _note_strict() -> None:
    with _lock:
        Settings.is_strict = any(
            each.get("checks") or each.get("unused_donation") == "error"
            for each in (vars(Settings), *_within)
        )


settings: Final = Settings()
settings.traces = _checked("CODEGEN_TRACES", os.environ.get("CODEGEN_TRACES") or "warn")
