"""Names that have moved on, each to the next field: what was saved has another first one."""

from codegen.schema import Dim, dynamic, f32, impl

ny = Dim()  # codegen: was[nx]
nz = Dim()  # codegen: was[ny]

class Rod:
    middle: dynamic[f32[ny]]  # codegen: was[first]
    last: dynamic[f32[nz]]  # codegen: was[oldest, middle]

Field = f32[ny]

class Grid:  # codegen: was[Field]
    """What an alias was called is saved nowhere."""

    u: dynamic[Field]

@impl("heat_model:step")
def step(rod: dynamic[Rod]) -> Rod: ...  # codegen: was[advance]

@impl("heat_model:advance")
def advance(rod: dynamic[Rod]) -> Rod: ...  # codegen: was[run]
