from codegen.schema import dynamic, f32, frozendict, static

class Grid:
    sizes: static[tuple[int, ...]]
    names: static[frozendict[str, int]]
    flags: static[frozenset[int]]
    data: dynamic[list[f32]]
    table: dynamic[dict[str, f32]]
