"""Classes: their bases, how JAX and this package know them, and arrays at the boundary.

    @abstract_class
    class Solver(Static, Abstract): ...     # for type checkers `Solver()` is an error
    class Newton(Solver): ...               # and `Newton()` is none

Type checkers refuse to construct a protocol, and a subclass of one is an ordinary class.
Nothing else has that effect in each of them: an abstract member would be asked of every
subclass, too. At run time there is no protocol.
"""

import abc
from typing import TYPE_CHECKING, Any

from .registration import (
    Pytree,
    Static,
    adopt_dataclass,
    register_dataclass,
    unflatten,
)
from .values import CONVERTED, as_argument, as_array, diff, is_weak

__all__ = [
    "CONVERTED",
    "Abstract",
    "Pytree",
    "Static",
    "abstract_class",
    "adopt_dataclass",
    "as_argument",
    "as_array",
    "diff",
    "is_weak",
    "register_dataclass",
    "unflatten",
]

if TYPE_CHECKING:
    from typing import Protocol as Abstract
    from typing import runtime_checkable as abstract_class
else:
    Abstract = abc.ABC

    def abstract_class(cls: Any) -> Any:
        """Return the class. Type checkers accept it in `isinstance` and `match`."""
        return cls
