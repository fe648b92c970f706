from codegen.schema import static

from .heat import Dyy, Grid
from ..parts.heat import Grid as Again

class Grid:
    n: static[int]

class Plate:
    grid: static[Grid]
    other: static[Dyy]
    again: static[Again]
