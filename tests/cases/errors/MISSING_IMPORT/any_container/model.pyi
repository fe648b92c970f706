from codegen.schema import dynamic, f32

class Model:
    a: dynamic[Sequence[f32]]
    b: dynamic[Mapping[str, f32]]
