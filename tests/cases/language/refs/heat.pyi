from codegen.schema import Dim, bf16, donated, field, i32, impl, key, ref

n = Dim()
Row = bf16[n]

class Cache:
    k: ref[Row]
    v: ref[bf16[n]] = field(init="zeros", spec=("rows",), tag="cache")
    made: ref[i32] = field(factory="m:make")
    rng: ref[key]
    used: donated[i32] = 0

@impl("m:f")
def f(cache: donated[Cache], buffer: ref[bf16[n]]) -> Cache: ...
