from heat_mixins import Plain

from codegen.schema import dynamic, f32

class Plate(Plain, abstract=True):
    u: dynamic[f32]
