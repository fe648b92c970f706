from codegen.schema import Dim, donated, dynamic, f32, static

n = Dim()  # rows
m = Dim()  # columns
p = Dim()  # points
q = Dim()  # channels

class Lin(dims=(n, m)):
    w: donated[f32[n, m]]  # weights

class Swapped(dims=(n, m)):
    w: donated[f32[n, m]]  # weights

class Grid:
    cells: static[int]  # number of cells
    u: dynamic[f32[p]]  # temperature
    x: dynamic[f32[q]]  # places

class Net:
    grid: dynamic[Grid]  # what is said there
    a: donated[Lin[p, q]]  # layer

class Fine(Grid):
    y: dynamic[f32[p]]  # refined

class Sized:
    n: static[int]  # rows
    u: dynamic[f32[n]]  # temperature
