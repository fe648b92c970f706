from codegen.schema import dynamic, f32, static

class Base(abstract=True):
    b: static[int]
    a: static[int]

class Bar(Base):
    x: dynamic[f32]
