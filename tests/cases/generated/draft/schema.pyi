from codegen.schema import donated, f32, static

class Model(draft=True):
    w: donated[f32[...]]
    n: static[int]
