from model import Describing

from codegen.schema import dynamic, f32

class Plate(Describing):
    u: dynamic[f32]
