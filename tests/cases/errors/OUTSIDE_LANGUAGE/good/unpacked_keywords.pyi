from codegen.schema import Dim, frozendict, static

nx = Dim(mesh="rows")

class Grid:
    sizes: static[frozendict[str, int]] = frozendict({"a": 1})
