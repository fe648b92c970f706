from codegen.schema import Dim  # codegen: ignore[UNUSED_IMPORT]

from codegen.schema import impl, dynamic, f32, static

@impl("model:run")
def run(
    x: dynamic[f32],
    rate: static[float],  # codegen: ignore[SWEPT_STATIC]
) -> f32: ...
