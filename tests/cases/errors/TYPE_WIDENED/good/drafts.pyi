from codegen.schema import Dim, donated, dynamic, f32, key

n = Dim()

class Part:
    x: dynamic[f32]

class Narrow(Part): ...

class Base:
    either: donated[Part | f32[n]]
    several: dynamic[tuple[f32[n], ...] | f32[n] | None]
    rng: donated[key | f32 | None]
    parts: donated[tuple[Part, ...]]
    listed: dynamic[list[f32[n]] | f32[n]]
    maybe: dynamic[f32 | None]

class Sub(Base):
    either: donated[f32[n]]
    several: dynamic[f32[n] | None]
    rng: donated[key]
    parts: donated[tuple[Narrow, ...]]
    listed: dynamic[f32[n]]
    maybe: dynamic[f32]
