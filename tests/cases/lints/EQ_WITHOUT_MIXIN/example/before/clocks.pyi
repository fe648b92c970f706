from codegen.schema import dynamic, f32

class Clock(eq=False):
    t: dynamic[f32]

class Alarm(Clock):
    ring: dynamic[f32]
