from codegen.schema import Dim, donated, f32, field

n = Dim()  # features

class Bar:
    w: donated[f32[n]] = field(init="ones")  # weights

class Model:
    bar: donated[Bar] = field(tag="frozen")
    head: donated[Bar] = field(tag="decay")
