from codegen.schema import dynamic, f32, static

class Rod:
    warmer: dynamic[f32]  # [K]  # codegen: was[hot]
    hot: dynamic[f32] = 0.0  # [K]
    colder: dynamic[f32]  # [K]  # codegen: was[cold, cool]
    n: static[int]
