from codegen.schema import Dim, dynamic, f32

n = Dim()  # samples
classes = Dim()  # one a digit

class Batch:
    images: dynamic[f32[n, 64]]
    labels: dynamic[f32[n, classes]]
