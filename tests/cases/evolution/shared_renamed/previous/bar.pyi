from codegen.schema import dynamic, f32, share

class Layer:
    w: dynamic[f32[2]]

class Bar:
    first: dynamic[Layer]
    last: dynamic[Layer]
    share(first, last)
