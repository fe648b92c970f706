from heat_mixins import Plain

from codegen.schema import dynamic, f32

class Plate(Plain, abstract=True, init=False):
    u: dynamic[f32]
