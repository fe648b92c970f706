from codegen.schema import dynamic, f32

class Slab:  # codegen: was[Slice]
    hot: dynamic[f32]
