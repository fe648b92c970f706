from colors import Color

from codegen.schema import dynamic, f32, field, static

class Grid:
    a: dynamic[f32]
    b: dynamic[dict[str, f32]] = {}
    c: static[Color] = Color.RED
    d: dynamic[f32] = field(factory="models:one")
