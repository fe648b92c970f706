"""Classes: their bases, how JAX and this package know them, and arrays at the boundary."""

from .abstract import Abstract as Abstract
from .abstract import abstract_class as abstract_class
from .arrays import CONVERTED as CONVERTED
from .arrays import as_argument as as_argument
from .arrays import as_array as as_array
from .arrays import is_weak as is_weak
from .registration import Pytree as Pytree
from .registration import Static as Static
from .registration import adopt_dataclass as adopt_dataclass
from .registration import register_dataclass as register_dataclass
from .registration import unflatten as unflatten
from .trees import diff as diff
