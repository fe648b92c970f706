from codegen.schema import donated, f32, field, static

class Part:
    n: static[int]
    m: static[int] = 1

class Model(abstract=True):
    n: static[int] = 1

class State:
    u: donated[f32]

class Grid:
    a: static[Part] = Part()
    b: static[Part] = Part(1, 2)
    c: static[Part] = Part(1, o=2)
    d: static[Part] = Part(1, n=2)
    e: static[Part] = Part("1")
    f: static[Model] = Model()
    g: static[Part] = State(0.0)
    h: static[tuple[Part, ...]] = (Part(1), Part())
    i: static[frozenset[Part]] = frozenset({Part(1), Part(1, 2)})
