from codegen.schema import dynamic, f32, impl, static

class Änderung:
    Δt: static[float] = 0.1
    _private: static[int]
    match: static[int]
    type: static[int]
    key: static[int]
    cls: static[int]
    jax: dynamic[f32]

@impl("heat_model:main")
def main(jax: dynamic[f32], type: static[int], impl: static[int]) -> f32: ...
