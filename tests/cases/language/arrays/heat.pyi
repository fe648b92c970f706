from codegen.schema import (
    Bool, Complex, Float, Inexact, Int, Num, Real, Shaped, UInt,
    Dim, bf16, c64, c128, donated, dynamic, f8_e4m3b11fnuz, f8_e4m3fn, f8_e4m3fnuz, f8_e5m2,
    f8_e5m2fnuz, f16, f32, f64, i2, i4, i8, i16, i32, i64, key, static, u2, u4, u8, u16, u32, u64,
)

h = Dim()
w = Dim()
n = Dim()

class Arrays:
    scalar: donated[f32]
    shaped: donated[u8[h, w, 3]]
    any: donated[bf16[...]]
    trailing: donated[f32[..., n]]
    keys: dynamic[key[n]]
    one_key: dynamic[key]
    flags: donated[bool[n]]
    named: donated[f32[*batch, n]]
    one: donated[f32[_, n]]
    sum: donated[f32[n + 1, n - 1, 2 * n, n // 2, (n + 1) * 2]]
    kinds: donated[tuple[Float[n], Int, UInt, Bool, Complex, Inexact, Real, Num, Shaped[...]]]
    floats: donated[tuple[f16, f32, f64, bf16]]
    small: donated[tuple[f8_e4m3b11fnuz, f8_e4m3fn, f8_e4m3fnuz, f8_e5m2, f8_e5m2fnuz]]
    integers: donated[tuple[i2, i4, i8, i16, i32, i64]]
    naturals: donated[tuple[u2, u4, u8, u16, u32, u64]]
    complexes: donated[tuple[c64, c128]]
    constant: static[f32[n]]
    maybe: donated[f32[n] | None] = None
    either: donated[f32[n] | i32[n]]
