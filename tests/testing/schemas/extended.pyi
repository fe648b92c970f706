"""Subclasses that say how large what they extend is."""

from codegen.schema import Dim, dynamic, f32, static

n = Dim()
m = Dim()

class Layer(dims=(n,), abstract=True):
    bias: dynamic[f32[n]]

class Fixed(Layer[4]):
    w: dynamic[f32[4, 3]]

class Sum(Layer[n + m], dims=(n, m)):
    w: dynamic[f32[n, m]]

class Net(dims=(n,)):
    x: dynamic[f32[n]]
    first: dynamic[Layer[n]]
    others: dynamic[tuple[Layer[_], ...]]

class Only(dims=(n, m), abstract=True):
    a: dynamic[f32[n, m]]

class One(Only[5, 4]):
    b: dynamic[f32] = 0.0

class Equal(Only[m, m], dims=(m,)):
    b: dynamic[f32[m]]

class Shifted(Only[n + 1, 2 * n], dims=(n,)):
    b: dynamic[f32[n]]

class Holder:
    y: dynamic[f32[n]]
    only: dynamic[Only[n, m]]
    other: dynamic[Only[m, _]]
    nx: static[int] = 3

class Lonely(dims=(n,), abstract=True):
    """Below it is one class, of a size that is not drawn otherwise."""

    a: dynamic[f32[n]]

class Six(Lonely[6]):
    b: dynamic[f32] = 0.0

class Needs:
    y: dynamic[f32[n]]
    lonely: dynamic[Lonely[n]]
