from codegen.schema import static

from ..third import Material as M
from .second import Plate

class Grid:
    plate: static[Plate]
    material: static[M] = M()
