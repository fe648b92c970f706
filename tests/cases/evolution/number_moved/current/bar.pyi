from codegen.schema import dynamic, i32, static

class Bar:
    a: dynamic[i32]
    b: dynamic[float]
    c: static[float]
    d: static[int]
    e: static[int]
