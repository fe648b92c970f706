from codegen.schema import Dim, bf16, donated, f32, impl

n = Dim()

@impl("bar:narrow")
def narrow(x: donated[f32[n]], y: donated[bf16[n]]) -> bf16[n]: ...
