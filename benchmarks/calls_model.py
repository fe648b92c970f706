"""What the functions of `benchmarks.calls` run: on generated states, and on those of others.

A field `d0` is donated and changes, `k0` is dynamic and is returned as it is, `p0` is a part with fields of its own,
and `s0` is static.
"""

from __future__ import annotations

import dataclasses
from typing import Any


def advanced(state: Any) -> Any:
    """Return a state, a dataclass, with other donated fields, those of its parts too."""
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if field.name.startswith("d"):
            changes[field.name] = value + 1
        elif field.name.startswith("p"):
            changes[field.name] = advanced(value)
    return dataclasses.replace(state, **changes)


def advance(*states: Any) -> Any:
    """Advance one state, or several."""
    made = tuple(map(advanced, states))
    return made if len(states) > 1 else made[0]
