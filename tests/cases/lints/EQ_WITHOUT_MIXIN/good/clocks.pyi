from operators import Compared

from codegen.schema import dynamic, f32

class Clock(Compared, eq=False):
    t: dynamic[f32]

class Base(eq=False):
    t: dynamic[f32]

class Derived(Base, Compared):
    ring: dynamic[f32]

class Model(abstract=True, eq=False):
    t: dynamic[f32]
