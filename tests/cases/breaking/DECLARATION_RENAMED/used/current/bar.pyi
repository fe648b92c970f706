from enum import Enum

from codegen.schema import dynamic, f32, impl, static

class Method(Enum):  # codegen: was[Scheme]
    A = 1

class Beam:  # codegen: was[Bar]
    u: dynamic[f32]
    scheme: static[Method] = Method.A

class Rod:
    bars: dynamic[tuple[Beam, ...]]

@impl("model:step")
def advance(bar: dynamic[Beam]) -> Beam: ...  # codegen: was[step]
