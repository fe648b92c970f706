"""Names of which 32 bits count where random keys are made."""

from codegen.schema import dynamic, f32

class Plate:
    heat_limit_decay_shift: dynamic[f32]
    power_beta_index: dynamic[f32]

class Base:
    power_beta_index: dynamic[f32]

class Sub(Base):
    heat_limit_decay_shift: dynamic[f32]

class Further(Sub):
    t: dynamic[f32]
