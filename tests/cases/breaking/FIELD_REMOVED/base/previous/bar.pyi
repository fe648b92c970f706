from codegen.schema import dynamic, f32, static

class Base:
    t: dynamic[f32]
    dt: dynamic[f32]
    tag: static[str] = ""

class Bar(Base):
    u: dynamic[f32]

class Rod(Bar):
    v: dynamic[f32]
