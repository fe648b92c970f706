"""The implementation of the functions in `benchmarks.calls`, for generated states and for other libraries.

A field `d0` is donated and changes. A field `k0` is dynamic and returned unchanged. A field `p0` is a part with its
own fields. A field `s0` is static.
"""

from __future__ import annotations

import dataclasses
from typing import Any


def advanced(state: Any) -> Any:
    """Return a dataclass with changed donated fields, also in its parts."""
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if field.name.startswith("d"):
            changes[field.name] = value + 1
        elif field.name.startswith("p"):
            changes[field.name] = advanced(value)
    return dataclasses.replace(state, **changes)


def advance(*states: Any) -> Any:
    """Advance one state or several."""
    made = tuple(map(advanced, states))
    return made if len(states) > 1 else made[0]
