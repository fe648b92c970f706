from codegen.schema import dynamic, static

class Grid:
    a: static[object]
    b: static[range]
    c: static[bytearray]
    d: static[type]
    e: static[type[int]]
    f: static[slice | None]
    g: dynamic[tuple[object, memoryview]]
