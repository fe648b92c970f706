from codegen.schema import Dim, static
from grids import Grid, Mesh
import shapes
from materials import Material as M
from metals import Alloy  # codegen: ignore[ABSOLUTE_IMPORT]

nx = Dim()

class Plate:
    grid: static[Grid]
    mesh: static[Mesh]
    material: static[M]
    shape: static[shapes.Round]
    alloy: static[Alloy]
