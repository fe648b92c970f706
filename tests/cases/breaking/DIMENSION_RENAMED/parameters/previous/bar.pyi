from codegen.schema import donated, f32

class Lin(dims=(n, m)):
    w: donated[f32[n, m]]
