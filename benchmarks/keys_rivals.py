# mypy: disable-error-code="misc, import-untyped, import-not-found, no-untyped-call"
# pyright: basic, reportMissingImports=false
"""The configuration of `benchmarks.keys` in other libraries."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

import equinox
from torax._src.static_dataclass import StaticDataclass


class Scheme(enum.Enum):
    """The time integration method."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


def _define(base: type[Any], name: str, fields: dict[str, type[Any]]) -> Any:
    """Define a class with these fields and this base."""
    return type(name, (base,), {"__annotations__": fields, "__module__": __name__})


_PART: dict[str, type[Any]] = {
    **dict.fromkeys(("nx", "ny", "order"), int),
    **dict.fromkeys(("dx", "dy", "tolerance"), float),
    "name": str,
    "periodic": bool,
    "scheme": Scheme,
}
_CONFIGURATION: dict[str, type[Any]] = {
    **dict.fromkeys("abcde", object),
    "steps": int,
    "seed": int,
    "dt": float,
    "title": str,
    "verbose": bool,
}

Part = dataclasses.dataclass(frozen=True)(_define(object, "Part", _PART))
Configuration = dataclasses.dataclass(frozen=True)(_define(object, "Configuration", _CONFIGURATION))
ToraxPart = dataclasses.dataclass(frozen=True, eq=False)(
    _define(StaticDataclass, "ToraxPart", _PART)
)
ToraxConfiguration = dataclasses.dataclass(frozen=True, eq=False)(
    _define(StaticDataclass, "ToraxConfiguration", _CONFIGURATION)
)


class ModulePart(equinox.Module):
    """A part as an equinox module, which compares static fields with `==`."""

    nx: int = equinox.field(static=True)
    ny: int = equinox.field(static=True)
    order: int = equinox.field(static=True)
    dx: float = equinox.field(static=True)
    dy: float = equinox.field(static=True)
    tolerance: float = equinox.field(static=True)
    name: str = equinox.field(static=True)
    periodic: bool = equinox.field(static=True)
    scheme: Scheme = equinox.field(static=True)


class ModuleConfiguration(equinox.Module):
    """The configuration as an equinox module."""

    a: ModulePart
    b: ModulePart
    c: ModulePart
    d: ModulePart
    e: ModulePart
    steps: int = equinox.field(static=True)
    seed: int = equinox.field(static=True)
    dt: float = equinox.field(static=True)
    title: str = equinox.field(static=True)
    verbose: bool = equinox.field(static=True)


def make_tuple(number: int) -> tuple[Any, ...]:
    """Return the values of a configuration as a nested tuple."""
    scheme = Scheme.IMPLICIT
    return (
        (number, 2, 3, 0.1, 0.2, 1e-6, "part", True, scheme),
        (1, 2, 3, 0.1, 0.2, 1e-6, "part", True, scheme),
        (2, 2, 3, 0.1, 0.2, 1e-6, "part", True, scheme),
        (3, 2, 3, 0.1, 0.2, 1e-6, "part", True, scheme),
        (4, 2, 3, 0.1, 0.2, 1e-6, "part", True, scheme),
        *(100, 7, 0.5, "title", False),
    )
