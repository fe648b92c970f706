from codegen.schema import Dim, donated, dynamic, f32, impl, key, static

nx = Dim()

class Grid(use="static"):
    nx: static[int]

class Part:
    level: donated[f32[nx]]
    kept: dynamic[f32[nx]]

class Plant(use="dynamic"):
    cold: donated[Part]
    hot: dynamic[Part]
    grid: static[Grid]
    clock: dynamic[float] = 0.0

@impl("plant_model:step", keep_unused=True, traces=2)
def step(
    plant: donated[Plant],
    level: donated[f32[nx]],
    rng: dynamic[key],
    dt: dynamic[float] = 0.1,
    *,
    n: static[int] = 1,
    grid: static[Grid | None] = None,
) -> tuple[Plant, f32[nx]]:
    """Keyword-only arguments behind the star."""

@impl("plant_model:cool", checks=False, inline=True, compiler_options={"xla_a": True, "xla_b": -2})
def cool(plant: donated[Plant]) -> Plant: ...
