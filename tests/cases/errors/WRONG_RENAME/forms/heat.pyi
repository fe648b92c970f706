from enum import Enum

from codegen.schema import Dim, donated, dynamic, f32, impl, static

nx = Dim()  # codegen: was[other:n]

class Scheme(Enum):
    EXPLICIT = "explicit"  # codegen: was

# codegen: was[Slab]
class Plate:  # codegen: was[slabs:]
    u: donated[f32[nx]]  # codegen: was[old.module:v]
    # codegen: was[alpha]
    a: dynamic[f32] = 0.0  # [m^2/s]  # codegen: was[b c, d,]

@impl("heat_model:step")
def step(
    plate: donated[Plate],
    n: static[int],  # codegen: was[count]
) -> Plate: ...
