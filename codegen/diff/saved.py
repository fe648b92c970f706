"""What becomes of what was saved: the rows of `docs/checkpoints.md`, which `unpack` follows.

u: dynamic[f32[n]]    ->    u: dynamic[f64[n]]    # "unpack" takes it with `cast=True`

What is refused without more being said or given breaks checkpoints. What depends on the values that
were saved, as whether a number is exact, does not.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec.structs import replace

from codegen.diff.comparison import CHECKPOINT, Change, Comparison
from codegen.program import types
from codegen.program.nodes import Class, Program
from codegen.program.types import Ref

# What breaks, and what becomes of what was saved.
Outcome: TypeAlias = tuple[tuple[str, ...], str]

RENAMED: Final = "what was saved is taken under its old name"
# The keys are those of `FieldOrigin.how`, and what concerns names and places.
OUTCOMES: Final[dict[str, Outcome]] = {
    "renamed": ((), RENAMED),
    "moved": ((), "what was saved is taken by name"),
    "reserved": ((), "what was saved of it is left out"),
    "removed": (
        (CHECKPOINT,),
        'what was saved is refused until `reserved("{name}")` is in the class',
    ),
    "default": ((), "what was saved without it gets the default"),
    "init": ((CHECKPOINT,), "what was saved without it needs `key=`, for its `init=`"),
    "number": ((), "a number that was saved is converted where that is exact"),
    "stack": ((), "what was saved is converted where all layers have the same static values"),
    "unstack": ((), "what was saved is converted where all layers have the same static values"),
    "same": ((), "what was saved is taken as it is"),
    "cast": ((CHECKPOINT,), "what was saved is widened where `cast=True` is given"),
    "migrate": ((CHECKPOINT,), 'what was saved needs `migrate(since="{since}")`'),
}
_MIGRATED: Final[Outcome] = (), "what was saved is migrated"


def with_outcome(comparison: Comparison, old: Class, change: Change, field: str = "") -> Change:
    """Add to a change of a class, or of a field of it, what becomes of what was saved."""
    if not change.saved:
        return change
    plan = comparison.evolution.plan(str(old.ref))
    # A class that migrates takes whatever it was.
    breaks, said = _MIGRATED if plan.migrations else OUTCOMES[change.saved]
    said = said.format(since=plan.since, name=field)
    return replace(change, breaks=(*change.breaks, *breaks), advice=f"{change.advice}; {said}")


def origin(comparison: Comparison, old: Class, name: str) -> str:
    """Return how a field of the new version comes from what was saved of the old class."""
    found = comparison.evolution.plan(str(old.ref)).origins.get(name)
    return found.how if found is not None else "migrate"


def is_held(program: Program, ref: Ref) -> bool:
    """Whether objects hold members of an enum, as far as their types say."""
    types_held = (field.type for node in program.classes.values() for field in node.fields)
    held = (one for type in types_held for one in types.iter_held(type))
    return any(isinstance(one, types.EnumType) and one.ref == ref for one in held)
