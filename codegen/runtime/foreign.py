"""Values of types that no schema beside this one declares.

    osc = as_foreign(osc, Osc, cls, "osc")      # TypeError where it is no `Osc`

A class that another package was generated with is asked for as one of this package is.
Of all other types the schema's author is believed: a name may stand for anything.
"""

from collections.abc import Callable
from typing import Any

from .classes.arrays import as_part
from .keys.messages import Owner


def as_foreign(value: Any, kind: Any, owner: Owner, path: str) -> Any:
    """Take a value of a type from outside the program."""
    if not hasattr(kind, "__codegen_record__") or isinstance(value, kind):
        return value
    return as_part(value, kind, owner, path)


def dynamic_foreign(kind: Any) -> Callable[[Any, Owner, str], Any]:
    """Return what takes values of a type from outside the program, in a container."""
    return lambda value, owner, path: as_foreign(value, kind, owner, path)
