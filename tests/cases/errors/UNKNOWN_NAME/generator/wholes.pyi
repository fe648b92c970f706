import codegen
from codegen import schema

class Plate:
    t: schema.dynamic[schema.f32]
    u: codegen.dynamic[codegen.f32]
