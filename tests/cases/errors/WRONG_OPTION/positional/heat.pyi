from codegen.schema import dynamic, f32, field, static

class Base(kw_only=False):
    a: dynamic[f32] = 0.0

class Own(kw_only=False):
    a: dynamic[f32] = field(factory="models:zero")
    b: dynamic[f32]
    c: dynamic[f32]

class Inherits(Base, kw_only=False):
    b: static[int]

class Plain(Base):
    b: static[int]

class Shape(abstract=True, kw_only=False):
    a: static[int] = 3
    b: static[int]
