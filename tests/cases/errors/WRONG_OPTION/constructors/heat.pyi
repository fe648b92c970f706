from heat_mixins import Made

from codegen.schema import dynamic, f32

class Plate(init=False):
    u: dynamic[f32]

class Registered(Made, init=False, registration="jax"):
    u: dynamic[f32]
