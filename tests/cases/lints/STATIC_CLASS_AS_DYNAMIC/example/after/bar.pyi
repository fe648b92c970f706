from codegen.schema import dynamic, f32, impl, static

class Grid:
    dx: static[float] = 0.01  # cell size [m]

@impl("bar:longest_step")
def longest_step(grid: static[Grid]) -> f32: ...
