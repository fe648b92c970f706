from codegen.schema import Dim, donated, f32

hidden = Dim()

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]]

class Vector(dims=(n,)):
    u: donated[f32[n]]

class Zero(Linear):
    scale: donated[f32]

class Unit(Vector):
    scale: donated[f32]

class Net:
    zero: donated[Zero[hidden, hidden]]
    unit: donated[Unit[hidden]]
