from codegen.schema import dynamic, f32, static

class Inner:
    lr: static[float]

class Outer:
    inner: static[Inner]

class State:
    x: dynamic[f32]
    outer: static[Outer]

class Part:
    dt: static[float]

class Free:
    part: static[Part]

class Deep:
    dt: static[float]

class Said(use="static"):
    deep: static[Deep]
