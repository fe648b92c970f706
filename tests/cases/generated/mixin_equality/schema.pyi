from model import Near

from codegen.schema import dynamic, f32

class Plate(Near, eq=False):
    u: dynamic[f32]
