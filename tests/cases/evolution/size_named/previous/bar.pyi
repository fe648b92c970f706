from codegen.schema import dynamic, f32

class Bar:
    u: dynamic[f32[3]]

class Rod:
    bars: dynamic[tuple[Bar, ...]]
