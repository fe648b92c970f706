"""Sizes that have to fit each other, and objects that have to come to an end."""

from codegen.schema import Dim, Float, donated, dynamic, f32, f64, field, frozendict, key, stacked, static

n = Dim()
m = Dim()
batch = Dim()
a = Dim()
b = Dim()

class Grid:
    """Its sizes are any integers, alone; in an object with arrays they are those of the arrays."""

    n: static[int]
    m: static[int] = 2

class Layer(dims=(a, b)):
    w: donated[f32[a, b]]
    bias: donated[f32[b]]
    n: dynamic[f32[n]]

class Net:
    grid: static[Grid]
    first: donated[Layer[n, m + 1]]
    rest: dynamic[tuple[Layer[m + 1, m + 1], ...]]
    last: donated[Layer[_, 3]]
    inner: dynamic[f32[n - 2, m // 2]]
    stack: dynamic[Float[*batch, n]]
    twin: dynamic[Float[*batch, m]]
    rng: dynamic[key[n]]
    wide: dynamic[f64[...]]
    layers: donated[stacked[Layer[n, m], b]]
    pairs: dynamic[tuple[Layer[n, n], b]]

class Step(abstract=True, use="dynamic"):
    """Every object of it may hold another one."""

    rate: dynamic[f32] = 1.0

class Twice(Step):
    step: donated[Step]

class Plain(Step):
    order: static[int] = 1

class Endless:
    """No object of it comes to an end."""

    step: dynamic[Forever]

class Forever(abstract=True, use="dynamic"):
    x: dynamic[f32]

class Again(Forever):
    inner: dynamic[Forever]

class Holder:
    step: donated[Step]
    steps: dynamic[dict[str, Step]]
    names: static[frozendict[str, tuple[Grid, ...]]] = frozendict()

class Degrees:
    """A value that goes through a function first."""

    angle: static[float] = field(convert="tests.testing.impl.converters:upwards")
    x: dynamic[f32]
