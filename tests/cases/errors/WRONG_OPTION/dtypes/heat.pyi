from codegen.schema import Bool, Dim, UInt, c64, donated, dynamic, f32, field, i32

n = Dim()

class Bar:
    """Random numbers are floats; what they are of complex fields depends on the function."""

    count: dynamic[i32[n]] = field(init="normal")
    mask: dynamic[Bool[n]] = field(init="uniform")
    kind: dynamic[UInt[n, n] | None] = field(init="lecun_normal")
    wave: donated[c64[n]] = field(init="uniform")
    cut: donated[c64[n]] = field(init="truncated_normal")
    fine: donated[c64[n]] = field(init="normal")
    nothing: dynamic[i32[n]] = field(init="zeros")
    all: dynamic[Bool[n]] = field(init="ones")
    own: dynamic[i32[n]] = field(init="models:counts")
    u: donated[f32[n]] = field(init="uniform")
