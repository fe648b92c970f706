from codegen.schema import dynamic, f32, static
from heat_mixins import Near

class Grid(Near, eq=False):
    nx: static[int]

class Plate(Near, eq=False):
    u: dynamic[f32]
