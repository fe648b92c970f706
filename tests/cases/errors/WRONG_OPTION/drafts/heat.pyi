from codegen.schema import dynamic, f32, static

class Grid(draft=True):
    nx: static[int]

class Model(draft=True):
    name: static[str]

class Plate(Model):
    u: dynamic[f32]
