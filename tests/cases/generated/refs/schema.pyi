from codegen.schema import Dim, bf16, donated, dynamic, i32, impl, ref

length = Dim()

class Cache:
    """Keys of a decoder."""

    k: ref[bf16[length]]  # keys
    used: donated[i32] = 0

@impl("decoder:decode")
def decode(cache: donated[Cache], buffer: ref[bf16[length]], token: dynamic[i32]) -> Cache: ...
