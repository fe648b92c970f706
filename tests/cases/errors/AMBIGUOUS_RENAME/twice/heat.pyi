from codegen.schema import dynamic, f32, static

class Rod:
    first: dynamic[f32]  # [K]  # codegen: was[u]
    n: static[int]

class Bar(Rod):
    second: dynamic[f32]  # [K]  # codegen: was[t, u]
    third: dynamic[f32]  # [K]  # codegen: was[t]
