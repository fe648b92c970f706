from codegen.schema import donated, f32, static

class Base:
    u: donated[f32]
    n: static[int]
