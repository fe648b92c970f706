from codegen.schema import donated

from .rods import Slab

class Rod:
    bar: donated[Slab]
