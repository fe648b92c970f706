"""A module that needs `right`, which needs it."""

from codegen.schema import dynamic, f32, impl, static

from ..arrays import Linear as Dense
from ..inheritance import Shape
from ..values import Color, Vector, n
from .deep.bottom import Params
from .right import Params as RightParams
from .right import Right

class Left:
    right: dynamic[Right | None]
    rights: dynamic[tuple[Right, ...]]
    dense: dynamic[Dense[n, n]]
    color: static[Color] = Color.RED
    v: dynamic[Vector]
    params: static[Params]
    other: static[RightParams]
    shape: static[Shape]

@impl("tests.generated.impl.functions:right_of")
def right_of(left: dynamic[Left]) -> Right: ...
