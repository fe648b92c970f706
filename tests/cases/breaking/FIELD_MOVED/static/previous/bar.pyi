from codegen.schema import dynamic, f32, static

class Base(abstract=True):
    a: static[int]
    b: static[int]

class Bar(Base):
    x: dynamic[f32]
