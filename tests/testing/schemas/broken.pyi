"""Classes that the tests break after they were generated, each in its own way."""

from codegen.schema import Dim, donated, dynamic, f32, impl, static

n = Dim()

class Dropped:
    x: dynamic[f32]
    y: dynamic[f32]

class Keyless:
    a: static[int]
    b: static[int]

class Zeros:
    x: static[float]

class Retraced:
    a: static[int]

class Lost:
    u: donated[f32[n]]

class Taken:
    u: donated[f32[n]]
    v: dynamic[f32[n]]

class Replaced:
    a: static[int]
    b: static[int]

class Picky:
    u: dynamic[f32[n]]

class Unpickled:
    a: static[int]

class Unequal:
    u: dynamic[f32[n]]

class Whole:
    """Not broken."""

    u: donated[f32[n]]
    v: dynamic[f32[n]]
    a: static[float]

class Underived:
    a: static[int]

class Unhashed:
    """Of a static class, whose objects have to be static arguments."""

    a: static[int]

@impl("tests.testing.impl.broken:changed")
def lose(obj: donated[Lost]) -> Lost: ...

@impl("tests.testing.impl.broken:changed")
def take(obj: donated[Taken]) -> Taken: ...

@impl("tests.testing.impl.broken:changed")
def change(obj: donated[Whole]) -> Whole: ...
