"""Classes without fields, which are pytrees without leaves, and what derives from them."""

from codegen.schema import Dim, donated, dynamic, f32, impl, static

n = Dim()

class Plain: ...
class Marker(use="dynamic", draft=True): ...

class Layer(Marker):
    w: donated[f32[n]]

class Deep(Layer):
    b: donated[f32[n]]

class Data(Plain):
    w: dynamic[f32[n]]

class Config(Plain):
    k: static[int]

class Holder:
    marker: donated[Marker]
    plain: static[Plain]
    several: dynamic[tuple[Marker, ...]] = ()
    x: donated[f32[n]]

@impl("tests.comfort.impl:moved")
def moved(marker: donated[Marker], holder: dynamic[Holder]) -> Marker: ...
