"""Fields that say more of themselves than role and type."""

from codegen.schema import Dim, donated, dynamic, f32, field, static

n = Dim()

class Linear:
    w: donated[f32[n]] = field(init="ones", tag="decay")
    b: donated[f32[n]] = field(init="zeros")

class Net:
    first: donated[Linear] = field(tag="frozen")
    rest: dynamic[tuple[Linear, ...]] = ()
    name: static[str] = "net"
