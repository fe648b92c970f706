from codegen.schema import dynamic, f32, impl

@impl("heat_model:step")
def step(ts: dynamic[tuple[f32, ...]], others: dynamic[dict[str, f32]]) -> f32: ...
