from codegen.schema import Dim, impl, dynamic, f32, static

n = Dim()  # codegen: ignore[UNUSED_DIMENSION]

@impl("model:run")
def run(
    x: dynamic[f32],
    rate: static[float],  # codegen: ignore[SWEPT_STATIC]
) -> f32: ...
