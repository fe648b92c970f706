from codegen.schema import dynamic, f32, static

class Base:
    t: dynamic[f32]

class Bar(Base):
    u: dynamic[f32]

class Rod(Bar):
    v: dynamic[f32]
