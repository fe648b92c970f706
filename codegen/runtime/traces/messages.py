"""Differences between two calls, and the display of traces: as text, and in a notebook.

find_changes(describe(call), describe(later), axis_names(later))
# [Change("plate.u", "f32[64,64]", "f32[128,64]", "shape", "nx: 64 -> 128")]

`step` was traced again, the 3rd time (budget 2), at run.py:41, in 0.412 s. Against its
nearest program:
  plate.thickness  0.001 -> 0.002             static
  plate.u          f32[64,64] -> f32[128,64]  nx: 64 -> 128
help: `thickness` changes from call to call: declare it `dynamic[f32]`, or raise `traces=`
"""

import contextlib
import dataclasses
import html
import inspect
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import jax

from ..classes.values import parts_by_step
from ..keys.names import is_generated
from ..leaves import Leaf, map_leaves
from ..shapes.dimensions import format_dim, is_variadic
from ..tracing import ProgramCall
from .signature import Aspects

# The kind of a change between two kinds: the first of these that is one of the two.
_KINDS: Final = ("function", "static", "structure", "class")
_X64: Final = ("context", "jax_enable_x64")
# With this many values, a value probably changes from call to call.
_MANY: Final = 3
_ELSE: Final = (
    "Nothing differs from an earlier program. Possible causes: a cleared cache, a "
    "reloaded implementation, another transformation around the call, or another "
    "thread that called at the same time"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """A difference between a call and an earlier program."""

    path: str  # Example: "plate.thickness"
    before: str
    after: str
    # "static", "function", "class", "shape", "dtype", "weak type", "sharding",
    # "committed", "structure" or "context"
    kind: str
    # Printed instead of the kind, if there are more details.
    detail: str = ""


def find_changes(
    before: Aspects, after: Aspects, names: Mapping[str, tuple[str, ...]]
) -> Iterator[Change]:
    """Yield all differences between two calls, as far as both are known.

    Args:
        before: the aspects of one call
        after: the aspects of the other call
        names: the names of the axes of its arrays, by their paths
    """
    was_wide, now_wide = (each.get(_X64) for each in (before, after))
    for place, now in after.items():
        # A path that only one has is part of another difference. Less is known about
        # traced values.
        was = before.get(place, now)
        for old, new in () if was is now else zip(was, now, strict=False):
            if old == new:
                continue
            kinds = (old.kind, new.kind)
            kind = new.kind if old.kind == new.kind else min(kinds, key=_KINDS.index)
            detail = f"{kind} (another one)" if old.text == new.text else ""
            if kind == "shape":
                sizes = _sizes(names.get(place[1], ()), old.exact, new.exact)
                detail = sizes or detail
            elif kind == "dtype" and was_wide and now_wide and was_wide != now_wide:
                # Shown with the change that it has caused.
                on = "on" if was_wide[0].text == "True" else "off"
                detail = f"dtype (jax_enable_x64 was {on})"
            yield Change(place[1], old.text, new.text, kind, detail)


# --- names of dimensions


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


def axis_names(call: ProgramCall) -> dict[str, tuple[str, ...]]:
    """Return the names of the axes of each array, by its path."""
    structure = call.program.structure
    by_leaf: dict[int, tuple[str, ...]] = {}

    def note(leaf: Leaf) -> None:
        if leaf.axes is not None and type(leaf.value) is int:
            by_leaf[leaf.value] = tuple(format_dim(axis.dim) for axis in leaf.axes)

    # Annotations may be any text, and raise any error.
    with contextlib.suppress(Exception):
        numbered = dict(structure.numbered)
        for part in jax.tree_util.tree_leaves(numbered, is_leaf=is_generated):
            if is_generated(part):
                map_leaves(part, note)
        signature = inspect.signature(call.program.implementation.run, eval_str=True)
        hints = [parameter.annotation for parameter in signature.parameters.values()]
        for number, value in numbered.items():
            by_leaf |= _annotated(hints[number], value)
            # For a stack of objects: Annotated[Block, "stacked: layers"]
            for text in getattr(hints[number], "__metadata__", ()):
                if str(text).startswith("stacked: "):
                    for leaf in by_leaf.keys() & jax.tree_util.tree_leaves(value):
                        by_leaf[leaf] = (*text.split()[1:], *by_leaf[leaf])
    paths = structure.pick(structure.paths)
    return {paths[number]: names for number, names in by_leaf.items()}


def _annotated(hint: Any, value: Any) -> dict[int, tuple[str, ...]]:
    """Return the axis names in jaxtyping's annotations of arrays outside of objects."""
    options: tuple[Any, ...] = (hint, *typing.get_args(hint))
    if type(value) is int:
        texts = [one.dim_str for one in options if hasattr(one, "dim_str")]
        return {value: tuple(texts[0].split())} if len(texts) == 1 else {}
    by_leaf: dict[int, tuple[str, ...]] = {}
    parts, kind = [*parts_by_step(value).values()], type(value)
    for one in options:
        if typing.get_origin(one) is kind and kind in (tuple, list, dict):
            inner = [each for each in typing.get_args(one) if each is not ...]
            is_fixed = kind is tuple and len(inner) == len(parts)
            hints = inner if is_fixed else inner[-1:] * len(parts)
            for pair in zip(hints, parts, strict=True):
                by_leaf |= _annotated(*pair)
    return by_leaf


# --- traces as text


@dataclasses.dataclass(frozen=True, repr=False)
class Trace:
    """A trace of a function, or a compilation that did not need one."""

    function: str
    number: int
    """The number of this trace of the function, from 1. Refused traces count too."""
    where: str
    """The line of the call. Example: `run.py:41`"""
    seconds: float = 0.0
    """The time to trace and compile, including the functions that it calls."""
    refused: bool = False
    """True if the function was not compiled because it is over the budget."""
    changes: tuple[Change, ...] = ()
    """The differences from the nearest earlier program."""
    nearest: int = 0
    """The number of the trace of that program; 0 if there is none."""
    help: tuple[str, ...] = ()
    budget: str = ""
    """The budget that it was checked against: `budget 2` or `max_traces(1)`."""
    verb: str = "traced"
    """`compiled` if JAX did not trace again, as for arrays on other devices."""
    by: str = "call"
    """The method that traced it: `call`, `keep`, `lower`, `eval_shape` or `donation`."""
    counts: bool = True
    """Whether a budget counts it: only if a call traced or compiled it."""
    is_cached: bool = False
    """Whether the compiled program was found in JAX's persistent cache."""

    def __str__(self) -> str:
        lines = format_changes(self.changes)
        return "\n".join([self._head(), *lines, *(f"help: {one}" for one in self.help)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [
            "".join(f"<td>{html.escape(cell)}</td>" for cell in row)
            for row in _rows(self.changes)
        ]
        table = "".join(f"<tr>{row}</tr>" for row in rows)
        head, *helps = (
            f"<p>{html.escape(text)}</p>" for text in (self._head(), *self.help)
        )
        return f"{head}<table>{table}</table>{''.join(helps)}"

    def _head(self) -> str:
        does = f"{'would be' if self.refused else 'was'} {self.verb}"
        again = " again" if self.nearest else ""
        stage = f" by `{self.by}`" if self.by != "call" else ""
        stage += ", and compiled by a call" if stage and self.counts else ""
        budget = f" ({self.budget})" if self.budget else ""
        took = f", in {self.seconds:.3f} s" if self.seconds else ""
        cached = " (loaded from the persistent cache)" if self.is_cached else ""
        text = (
            f"`{self.function}` {does}{again}{stage}, the {ordinal(self.number)} time"
            f"{budget}, at {self.where}{took}{cached}."
        )
        if not self.nearest:
            return text
        return f"{text} {'Against its nearest program:' if self.changes else _ELSE}"


def format_changes(changes: Sequence[Change]) -> list[str]:
    """Return the lines of a table of changes."""
    rows = [
        (path, f"{was} -> {now}", detail) for path, was, now, detail in _rows(changes)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def _rows(changes: Sequence[Change]) -> list[tuple[str, str, str, str]]:
    # A context that is shown with a dtype is not shown again.
    details = " ".join(change.detail for change in changes)
    shown = [c for c in changes if c.kind != "context" or c.path not in details]
    return [(c.path, c.before, c.after, c.detail or c.kind) for c in shown]


class Traces(tuple[Trace, ...]):
    """Some traces, each shown on its own lines."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "no traces"

    def _repr_html_(self) -> str:
        return "".join(trace._repr_html_() for trace in self)  # pyright: ignore[reportPrivateUsage]


def iter_advice(
    changes: Sequence[Change], known: Sequence[Aspects], *, has_budget: bool
) -> Iterator[str]:
    """Yield advice to make a function trace less often.

    Args:
        changes: the changes of the latest trace
        known: the aspects of that trace and of earlier ones
        has_budget: whether the function has a budget
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
        found = [each.get(("argument", change.path), ()) for each in known]
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
