from codegen.schema import dynamic, f32, field

class Grid:
    a: dynamic[f32] = field(default=0.0, factory="models:zero")
    b: dynamic[dict[str, f32]] = field(factory=dict)
    c: dynamic[f32] = field(factory=zero)
    d: dynamic[f32] = field(factory="models.zero")
