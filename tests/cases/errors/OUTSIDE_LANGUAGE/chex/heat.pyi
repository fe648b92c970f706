from codegen.schema import dynamic, static

class Plate:
    u: dynamic[chex.Array]
    rng: dynamic[chex.PRNGKey]
    params: dynamic[chex.ArrayTree]
    rate: dynamic[chex.Numeric]
    shape: static[chex.Shape]
    other: dynamic[chex.Other]
    tree: dynamic[jaxtyping.PyTree]
    v: dynamic[jaxtyping.Float]
    schedule: dynamic[chex.dataclasses.Schedule]
