from codegen.schema import dynamic, f32

class Grid(object):
    u: dynamic[f32]

class Plate(Grid, object):
    v: dynamic[f32]
