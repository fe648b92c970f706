from codegen.schema import donated, f32

class Lin(dims=(rows, columns)):
    w: donated[f32[rows, columns]]
