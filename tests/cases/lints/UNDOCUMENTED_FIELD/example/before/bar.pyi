from codegen.schema import dynamic, f32

class Clock:
    time: dynamic[f32]
