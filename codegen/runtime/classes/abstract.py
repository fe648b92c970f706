"""Abstract classes, for type checkers: `Solver()` is an error, and `Newton()` is none.

    @abstract_class
    class Solver(Static, Abstract): ...
    class Newton(Solver): ...

Type checkers refuse to construct a protocol, and a subclass of one is an ordinary class.
Nothing else has that effect in each of them: an abstract member would be asked of every
subclass, too. At run time there is no protocol.
"""

import abc
from typing import TYPE_CHECKING, Any

__all__ = ["Abstract", "abstract_class"]

if TYPE_CHECKING:
    from typing import Protocol as Abstract
    from typing import runtime_checkable as abstract_class
else:
    Abstract = abc.ABC

    def abstract_class(cls: Any) -> Any:
        """Return the class. Type checkers accept it in `isinstance` and `match`."""
        return cls
