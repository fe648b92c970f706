from codegen.schema import dynamic, f32, field, key, static

class Part:
    x: dynamic[f32]

class Grid:
    n: static[int] = field(init="zeros")
    u: dynamic[f32] = field(convert="heat_model:rounded")
    part: dynamic[Part] = field(spec=("rows",), init="zeros")
    pair: dynamic[tuple[f32, f32]] = field(init="zeros")
    rng: dynamic[key] = field(init="normal")
    keys: dynamic[key[2]] = field(init="models:keys")
