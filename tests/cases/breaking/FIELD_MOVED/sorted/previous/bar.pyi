from codegen.schema import dynamic, f32

class Foo:
    x: dynamic[f32]

class Bar(Foo):
    a: dynamic[f32]
