"""Classes: their bases, their registration with JAX and this package, and array
conversion.

    @abstract_class
    class Solver(Static, Abstract): ...     # for type checkers `Solver()` is an error
    class Newton(Solver): ...               # and `Newton()` is none

Type checkers refuse to construct a protocol, and a subclass of one is an ordinary
class. Only a protocol has this effect in every type checker: an abstract member would
also be required of every subclass. There is no protocol at run time.
"""

import abc
from typing import TYPE_CHECKING, Any

__all__ = ["Abstract", "abstract_class"]

if TYPE_CHECKING:
    from typing import Protocol as Abstract
    from typing import runtime_checkable as abstract_class
else:
    Abstract = abc.ABC

    def abstract_class(cls: object) -> Any:
        """Return the class. Type checkers accept it in `isinstance` and `match`."""
        return cls
