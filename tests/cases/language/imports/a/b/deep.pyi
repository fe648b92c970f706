import numpy as np
import materials.metals
import materials.woods
from numpy import typing as npt
from collections.abc import Callable, Hashable

from codegen.schema import f32 as single, static as constant
from ...top import Top
from ..sibling import Sibling as S, Kind, n
from .near import Near

class Deep(Top):
    sibling: constant[S]
    near: constant[Near | None] = None
    kind: constant[Kind] = Kind.ONE
    array: constant[single[n]]
    number: constant[np.float32]
    function: constant[Callable[[single], single]]
    hashed: constant[Hashable]
    metal: constant[materials.metals.Alloy]
    wood: constant[materials.woods.Species.Oak[int]]
    precise: constant[npt.DTypeLike]
