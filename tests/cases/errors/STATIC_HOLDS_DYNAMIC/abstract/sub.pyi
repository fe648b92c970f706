from codegen.schema import dynamic, f32

from .base import Model

class Learned(Model):
    w: dynamic[f32]
