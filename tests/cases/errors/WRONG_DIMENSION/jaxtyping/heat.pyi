from codegen.schema import Dim, Float, dynamic

nx = Dim()

class Grid:
    u: dynamic[Float[Array, nx]]
