"""Differences between two calls, and the text of traces.

find_changes(describe_call(call), describe_call(later))
# [Change("plate.u", "f32[64,64]", "f32[128,64]", "shape", "nx: 64 -> 128")]

`step` was traced again, the 3rd time (budget 2), at run.py:41, in 0.412 s. Against its
nearest program:
  plate.thickness  0.001 -> 0.002             static
  plate.u          f32[64,64] -> f32[128,64]  nx: 64 -> 128
help: `thickness` changes from call to call: declare it `dynamic[f32]`, or raise `traces=`
"""

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Final

import jax

from ..shapes.dimensions import is_variadic
from .signature import Aspects

# The kind of a change between two kinds: the first of these that is one of the two.
_KINDS: Final = ("function", "static", "structure", "class")
# With this many values, a value probably changes from call to call.
_MANY: Final = 3
_ELSE: Final = (
    "No argument differs from an earlier program, so the cause is outside the arguments: "
    "a setting or context of JAX, another mesh or transformation around the call, a call "
    "with donation after one without it or the reverse, a cleared cache, a reloaded "
    "implementation, or another thread that called at the same time"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """A difference between a call and an earlier program."""

    path: str  # Example: "plate.thickness"
    before: str
    after: str
    # "static", "function", "class", "shape", "dtype", "weak type", "sharding",
    # "committed" or "structure"
    kind: str
    # Printed instead of the kind, if there are more details.
    detail: str = ""


def find_changes(before: Aspects, after: Aspects) -> Iterator[Change]:
    """Yield all differences between two calls, as far as both are known."""
    for path, now in after.items():
        # A path that only one has is part of another difference. Less is known about
        # traced values.
        was = before.get(path, now)
        for old, new in () if was is now else zip(was, now, strict=False):
            if old == new:
                continue
            kinds = (old.kind, new.kind)
            kind = new.kind if old.kind == new.kind else min(kinds, key=_KINDS.index)
            detail = f"{kind} (another one)" if old.text == new.text else ""
            if kind == "shape":
                detail = _sizes(new.axes, old.exact, new.exact) or detail
            yield Change(path, old.text, new.text, kind, detail)


def _sizes(names: tuple[str, ...], was: Any, now: Any) -> str:
    """Describe which named dimensions have changed."""
    rank = len(now)
    place = next((i for i, name in enumerate(names) if is_variadic(name)), 0)
    several = sum(map(is_variadic, names))
    unnamed = rank - len(names) + several
    if len(was) != rank or several > 1 or unnamed < 0:
        return ""
    # If no dimension is variadic, the first axes are those of a stack of objects.
    named = (*names[:place], *[""] * unnamed, *names[place + several :])
    return ", ".join(
        f"{name}: {one} -> {other}"
        for name, one, other in zip(named, was, now, strict=True)
        if one != other and name not in ("", "_") and not name.isdigit()
    )


# --- traces as text


@dataclasses.dataclass(frozen=True, repr=False)
class Trace:
    """A trace of a function."""

    function: str
    number: int
    """The number of this trace of the function, from 1. Refused traces count too."""
    where: str
    """The line of the call. Example: `run.py:41`"""
    seconds: float = 0.0
    """The time to trace, and for a call to compile, including the functions that it calls."""
    refused: bool = False
    """True if the function was not compiled because it is over the budget."""
    changes: tuple[Change, ...] = ()
    """The differences from the nearest earlier program."""
    nearest: int = 0
    """The number of the trace of that program; 0 if there is none."""
    help: tuple[str, ...] = ()
    budget: str = ""
    """The budget that it was checked against: `budget 2` or `max_traces(1)`."""
    by: str = "call"
    """The method that traced it: `call`, `keep`, `lower`, `eval_shape`, `donation` or
    `memory`."""
    counts: bool = True
    """Whether a budget counts it: only if a call traced it."""

    def __str__(self) -> str:
        lines = format_changes(self.changes)
        return "\n".join([self._head(), *lines, *(f"help: {one}" for one in self.help)])

    __repr__ = __str__

    def _head(self) -> str:
        does = "would be traced" if self.refused else "was traced"
        again = " again" if self.nearest else ""
        stage = f" by `{self.by}`" if self.by != "call" else ""
        budget = f" ({self.budget})" if self.budget else ""
        took = f", in {self.seconds:.3f} s" if self.seconds else ""
        text = (
            f"`{self.function}` {does}{again}{stage}, the {ordinal(self.number)} time"
            f"{budget}, at {self.where}{took}."
        )
        if not self.nearest:
            return text
        return f"{text} {'Against its nearest program:' if self.changes else _ELSE}"


def format_changes(changes: Sequence[Change]) -> list[str]:
    """Return the lines of a table of changes."""
    rows = [
        (one.path, f"{one.before} -> {one.after}", one.detail or one.kind)
        for one in changes
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


class Traces(tuple[Trace, ...]):
    """Some traces, each shown on its own lines."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "no traces"


def iter_advice(
    changes: Sequence[Change], known: Sequence[Aspects], *, has_budget: bool
) -> Iterator[str]:
    """Yield advice to make a function trace less often, from the changes of its latest
    trace, and the aspects of that trace and of earlier ones.
    """
    more = ", or raise `traces=`" if has_budget else ""
    # For several arrays the first is enough, also for those with the same sizes.
    shapes = [change for change in changes if change.kind == "shape"]
    sizes = {size for change in shapes for size in change.detail.split(", ")}
    for change in changes:
        name = change.path.rpartition(".")[2]
        size = f"{name}: {change.before} -> {change.after}"
        if size in sizes or change in shapes[1:]:
            continue
        found = [each.get(change.path, ()) for each in known]
        seen = {a.exact for aspects in found for a in aspects if a.kind == change.kind}
        dtype = _dtype(change.after)
        if change.kind == "static" and dtype and len(seen) >= _MANY:
            yield (
                f"`{name}` changes from call to call: declare it `dynamic[{dtype}]`{more}"
            )
        elif change.kind == "static" and jax.process_count() > 1:
            yield (
                f"`{name}` must be the same in every process: check this with "
                "`assert_same_everywhere`, or with `fingerprint()` of the object that "
                "contains it"
            )
        elif change.kind == "shape" and len(seen) >= _MANY:
            yield (
                f"`{change.path}` has had {len(seen)} shapes: pad it to one of a few sizes, "
                f"chosen by a static field{more}"
            )
        elif change.kind == "function" and change.before == change.after:
            yield f"`{name}` is a new function at each call: define it at module level"


def _dtype(text: str) -> str:
    """Return the dtype to declare for a static number; "" for other values."""
    for kind, dtype in ((int, "i32"), (float, "f32")):
        with contextlib.suppress(ValueError):
            kind(text)
            return dtype
    return ""


def ordinal(number: int) -> str:
    """Format a number as "3rd"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
