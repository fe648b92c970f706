from codegen.schema import dynamic, f32, static

class Base:
    t: static[int] = 0

class Bar(Base):
    u: dynamic[f32]
    w: dynamic[f32] = 0.0

class Rod(Bar):
    v: dynamic[f32]
