from codegen.schema import Dim, donated, dynamic, f32, field

n = Dim()  # rows
m = Dim()  # columns
p = Dim()  # points
q = Dim()  # channels

class Lin(dims=(n, m)):
    w: donated[f32[n, m]] = field(init="lecun_normal")  # weights
    b: dynamic[f32[m]] = field(init="zeros")  # bias

class Net:
    a: donated[Lin[p, q]]  # layer, said there
    b: dynamic[f32[p]] = field(init="zeros")  # bias

class Wide(Lin[p, q]):
    s: dynamic[f32[p]] = field(init="ones")  # scale, said of the base

class Both:
    a: donated[Lin[p, q]]  # layer
    b: dynamic[f32[p]] = field(init="zeros")  # an array of its own
