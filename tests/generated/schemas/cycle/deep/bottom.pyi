"""A class with a name that another module has too."""

from codegen.schema import static

class Params:
    y: static[int]
