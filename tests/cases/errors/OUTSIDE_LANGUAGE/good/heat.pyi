from __future__ import annotations

from enum import StrEnum

from codegen.schema import Dim, f32, impl, static

nx = Dim()
Field = f32[nx]

class Scheme(StrEnum):
    EXPLICIT = "explicit"

class Inner:
    nx: static[int]

class Grid:
    inner: static[Inner]

    @property
    @impl("heat_model:area")
    def area(self) -> float: ...
