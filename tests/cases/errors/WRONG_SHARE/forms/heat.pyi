from codegen.schema import donated, f32, share

class Model:
    a: donated[f32]
    share(a)
    share("a", "b")
    share(a, b=a)
