from codegen.schema import donated, impl, static

class Grid:
    nx: static[int]

class Plate:
    t: donated[float]
    grid: donated[Grid]
    pair: donated[tuple[int, Grid | None]]

@impl("heat_model:step")
def step(n: donated[int]) -> None: ...

class Mask:
    is_open: donated[bool]
