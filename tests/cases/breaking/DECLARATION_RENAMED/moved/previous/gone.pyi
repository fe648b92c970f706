from codegen.schema import dynamic, f32

class Clock:
    t: dynamic[f32]
