"""Arrays of a base count; the field is reported where it is declared."""

from codegen.schema import dynamic, f32

class Base:
    u: dynamic[f32[4]]

class Timed(Base):
    steps: dynamic[int]

class Fast(Timed):
    rate: dynamic[f32]
