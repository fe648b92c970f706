from codegen.schema import dynamic, f32, share

class Layer:
    weight: dynamic[f32[2]]  # codegen: was[w]

class Bar:
    first: dynamic[Layer]
    end: dynamic[Layer]  # codegen: was[last]
    share(first, end)
