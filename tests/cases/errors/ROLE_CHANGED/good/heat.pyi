from codegen.schema import donated, f32, static

class Base:
    u: donated[f32]
    n: static[int]

class Sub(Base):
    u: donated[f32] = 0.0
    n: static[int] = 3
