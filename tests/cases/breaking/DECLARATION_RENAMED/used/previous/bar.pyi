from enum import Enum

from codegen.schema import dynamic, f32, impl, static

class Scheme(Enum):
    A = 1

class Bar:
    u: dynamic[f32]
    scheme: static[Scheme] = Scheme.A

class Rod:
    bars: dynamic[tuple[Bar, ...]]

@impl("model:step")
def step(bar: dynamic[Bar]) -> Bar: ...
