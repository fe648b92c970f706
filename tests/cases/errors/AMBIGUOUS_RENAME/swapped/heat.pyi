from codegen.schema import dynamic, f32, static

class Rod:
    hot: dynamic[f32]  # [K]  # codegen: was[cold]
    cold: dynamic[f32]  # [K]  # codegen: was[hot]
    n: static[int]
