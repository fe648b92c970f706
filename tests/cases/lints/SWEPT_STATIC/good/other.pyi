from codegen.schema import dynamic, f32, impl, static

class Solver:
    tolerance: static[float] = 1e-6
    dt: dynamic[float] = 0.1

@impl("bar:run")
def run(x: dynamic[f32], n: static[int], dt: dynamic[float]) -> f32: ...
