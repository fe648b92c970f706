from codegen.schema import impl, key, static

class Grid:
    seed: static[key]
    seeds: static[tuple[key[3], ...]]

@impl("heat_model:step")
def step(seed: static[key | None]) -> None: ...
