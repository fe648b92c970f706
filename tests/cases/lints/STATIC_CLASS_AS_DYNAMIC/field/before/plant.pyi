from codegen.schema import dynamic, f32, static

class Grid:
    dx: static[float]

class Plant:
    grid: dynamic[Grid]
    flow: dynamic[f32]
