from enum import Enum
from typing import TypeAlias

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

nx = Dim()  # cells  # codegen: was[n, columns]
Field: TypeAlias = f32[nx]  # codegen: was[Row]

class Scheme(Enum):  # codegen: was[schemes.former:Scheme]
    EXPLICIT = "explicit"  # codegen: was[EULER]

class Empty(use="static"): ...  # codegen: was[Nothing]

class Plate(
    draft=True,
):  # codegen: was[Slab, plates.old:Slab]
    """The plate."""

    u: donated[Field] = field(
        init="zeros",
    )  # temperature [K]  # codegen: was[temperature]
    scheme: static[Scheme] = Scheme.EXPLICIT

    @impl("heat_model:energy")
    def energy(self) -> f32: ...  # codegen: was[heat]

@impl("heat_model:step")
def step(
    plate: donated[Plate],
) -> Plate: ...  # codegen: was[other:go]
