from codegen.schema import donated, dynamic, static

class Grid:
    u: donated[f32]
    v: donated[f32]
    w: donated[Float[...]]
    a: static[Any]
    f: static[Callable[[float], float]]
    l: static[Literal["a"]]
    d: static[frozendict[str, int]] = frozendict(a=1)
    t: static[dtype] = bf16
