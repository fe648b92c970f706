from codegen.schema import Dim, dynamic, f32

n = Dim()  # samples

class Batch:
    images: dynamic[f32[n, 64]]
    labels: dynamic[f32[n, _]]
