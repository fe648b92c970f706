from codegen.schema import Dim, Float, donated, dynamic, f32

n = Dim()

class Part:
    x: dynamic[f32]

class Narrow(Part): ...

class Base:
    parts: donated[list[Part]]
    named: dynamic[dict[str, Part]]
    arrays: dynamic[list[Float[...]]]

class Sub(Base):
    parts: donated[list[Narrow]]
    named: dynamic[dict[str, Narrow]]
    arrays: dynamic[list[f32[n]]]
