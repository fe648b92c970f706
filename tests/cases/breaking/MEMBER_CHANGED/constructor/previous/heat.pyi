from heat_mixins import Made

from codegen.schema import dynamic, f32

class Plate(Made):
    u: dynamic[f32]
