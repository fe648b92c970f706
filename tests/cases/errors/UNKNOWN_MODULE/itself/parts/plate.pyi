from codegen.schema import static

from .heat import Grid

class Plate:
    grid: static[Grid]
