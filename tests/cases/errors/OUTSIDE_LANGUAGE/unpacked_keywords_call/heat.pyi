from codegen.schema import Dim, frozendict, static

nx = Dim(**options)

class Grid:
    sizes: static[frozendict[str, int]] = frozendict({**others})
