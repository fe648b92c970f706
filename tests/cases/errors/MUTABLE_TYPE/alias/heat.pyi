from codegen.schema import static

from .types import Sizes

class Grid:
    sizes: static[Sizes]
