from codegen.schema import dynamic, f32

class Foo:
    x: dynamic[f32]

class Bar(Foo, sort_leaves=True):
    a: dynamic[f32]
