from codegen.schema import static

class Solver:
    dt: static[float] = 0.1  # [s]
    lr: static[float | None] = None
    tolerance: static[float] = 1e-6
    temperature: static[int] = 1
