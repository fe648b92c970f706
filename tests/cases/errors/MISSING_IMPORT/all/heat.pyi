nx = Dim()

class Grid:
    n: static[int] = 1
    mode: static[Literal["a"]] = "a"
    u: dynamic[f32[nx]]
    v: donated[tuple[Float[nx], ...]] | None

@impl("heat_model:step")
def step(grid: Grid, t: dynamic[f32]) -> i32: ...
