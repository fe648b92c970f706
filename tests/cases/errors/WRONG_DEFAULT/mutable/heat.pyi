from codegen.schema import donated, dynamic, f32, impl, static

class Plate:
    a: dynamic[list[f32]] = []
    c: dynamic[dict[str, f32] | None] = {}
    d: static[list[int]] = []
    e: dynamic[tuple[f32, ...]] = []
    f: dynamic[f32] = []

@impl("heat_model:step")
def step(a: dynamic[list[f32]] = []) -> f32: ...

class Table:
    a: dynamic[dict[str, f32]] = {}
    b: donated[dict[str, f32]] = {"a": 1.0}

    @impl("heat_model:rates")
    def rates(self, of: dict[str, float] = {}) -> int: ...

@impl("heat_model:run")
def run(a: dynamic[dict[str, f32]] = {}) -> f32: ...
