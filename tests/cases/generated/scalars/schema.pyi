from codegen.schema import dynamic, f32, key

class Clock:
    t: dynamic[f32] = 0.0
    rate: dynamic[float]
    ticks: dynamic[int] = 0
    seed: dynamic[key]
