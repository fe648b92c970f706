from model import Sized

from codegen.schema import dynamic, f32

class Plate(Sized, init=False):
    u: dynamic[f32[...]]
