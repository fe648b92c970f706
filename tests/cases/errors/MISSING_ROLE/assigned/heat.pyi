from codegen.schema import Dim, dynamic, f32, field

n = Dim()

class Plate:
    a = dynamic[f32[n]]
    b = f32[n]
    c = 10
    d = "left"
    e = -1.5
    f = (1, 2)
    g = field(init="zeros")
    h = None
    i = "a text that is longer than what is repeated in what is advised"
