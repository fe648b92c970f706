"""What only some constructors need.

    check_init(self)                # calls the `__check_init__` of every mixin
    require(Plate, u=u, grid=grid)  # TypeError where one of them is MISSING
    Converted(self.nx)              # for a field with `convert=`: not to be converted again

Most classes have no mixin, and are unflattened without their constructor.
"""

import dataclasses
from typing import Any, Final

# A default for what a caller must give, where Python's own check cannot be used because
# JAX calls the constructor too, with other arguments.
MISSING: Final[Any] = object()


@dataclasses.dataclass(frozen=True, slots=True)
class Converted:
    """What a field with `convert=` has held before, and is to hold again."""

    value: Any


def check_init(obj: object) -> None:
    """Call the `__check_init__(self)` of every class of an object, bases first."""
    for cls in reversed(type(obj).__mro__):
        check = vars(cls).get("__check_init__")
        if check is not None:
            check(obj)


def require(cls: type[Any], /, **given: Any) -> None:
    """Refuse a call of a constructor that leaves out what has no default."""
    missing = [name for name, value in given.items() if value is MISSING]
    if missing:
        names = ", ".join(f"'{name}'" for name in missing)
        raise TypeError(f"{cls.__qualname__}() is missing required arguments: {names}")
