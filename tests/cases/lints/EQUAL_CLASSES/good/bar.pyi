from codegen.schema import dynamic, f32, static

class Rod:
    length: static[float]  # [m]
    temperature: dynamic[f32]  # [K]
    heating: dynamic[f32]  # [W]

class Wire(Rod):
    gauge: static[int]
