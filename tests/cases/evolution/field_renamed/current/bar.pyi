from codegen.schema import donated, f32, static

class Bar:
    temperature: donated[f32[3]]  # codegen: was[t, u]
    size: static[float]  # codegen: was[dx]
