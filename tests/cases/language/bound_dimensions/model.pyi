from codegen.schema import Dim, donated, dynamic, f32, field, static

from .sizes import rows

pixels = Dim(mesh="model")
hidden = Dim(mesh=("data", "model"))
classes = Dim()

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]] = field(init="he_normal", spec=(None, "model"))
    b: donated[f32[n_out]] = field(init="zeros")

class Head(Linear[hidden, 10]):
    scale: dynamic[f32[hidden]]

class Square(Linear[k + 1, k], dims=(k,)):
    diagonal: dynamic[f32[k]]

class Deep(Square[_], dims=(k,)):
    bias: dynamic[f32[k]]

class Bare(Linear):
    gain: dynamic[f32[n_out]]

class Named(Linear, dims=(n_in,)):
    gain: dynamic[f32[n_in]]

class Net:
    head: donated[Head]
    square: donated[Square[rows]]
    bare: donated[Bare | None] = None
    named: donated[Named[rows]]
    x: dynamic[f32[rows, pixels]]
