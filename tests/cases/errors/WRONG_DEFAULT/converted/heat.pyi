from codegen.schema import dynamic, f32, field, static

class Part:
    n: static[int]

class Moving:
    u: dynamic[f32]

class Grid:
    a: static[Part] = field(default=Part("x"), convert="heat_model:made")
    b: static[Part] = field(default=Part(), convert="heat_model:made")
    c: static[Part] = field(default=(1, Moving(0.5)), convert="heat_model:made")
