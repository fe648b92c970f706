"""What a schema declares of its classes, as their recipes say it.

    ROLES[Plate]        # {"u": "donated", "alpha": "dynamic", "dx": "static"}
    SHARES[Model]       # (("embed", "encoder.embed"),)

The laws take it from here, since the generated code is what they judge.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

Role: TypeAlias = Literal["static", "dynamic", "donated"]

ROLES: Final[dict[Any, Mapping[str, Role]]] = {}
SHARES: Final[dict[Any, tuple[tuple[str, ...], ...]]] = {}


def roles_of(value: object) -> Mapping[str, Role] | None:
    """Return the roles of an object's fields; None of what no schema declares."""
    found = ROLES.get(type(value))
    record: Any = getattr(type(value), "__codegen_record__", None)
    if found is None and record is not None:
        # No recipe made it, but a strategy that somebody wrote.
        traced: dict[str, Role] = dict.fromkeys(record.data_fields, "dynamic")
        fixed: dict[str, Role] = dict.fromkeys(record.meta_fields, "static")
        return {**traced, **fixed}
    return found


def borrowed(value: object) -> frozenset[str]:
    """Return the paths of an object that lie in another part of it as well."""
    shares = SHARES.get(type(value), ())
    return frozenset(path for share in shares for path in share[1:])
