"""A trace as it is shown: as text, as a table of a notebook, with what helps.

`step` was traced again, the 3rd time (budget 2), at run.py:41, in 0.412 s. Against its
nearest program:
  plate.thickness  0.001 -> 0.002             static
  plate.u          f32[64,64] -> f32[128,64]  nx: 64 -> 128
help: `thickness` changes from call to call: declare it `dynamic[f32]`, or raise `traces=`
"""

import contextlib
import dataclasses
import html
from collections.abc import Iterator, Sequence
from typing import Final

import jax

from .changes import Change
from .described import Aspects

# From how many values on something is said to change from call to call.
_MANY: Final = 3
_ELSE: Final = (
    "Nothing differs from an earlier program. What is left: a cache that was cleared, an "
    "implementation that was reloaded, another transformation around the call, or another "
    "thread that called at the same time"
)


@dataclasses.dataclass(frozen=True, repr=False)
class Trace:
    """A trace of a function, or a compilation that needed none."""

    function: str
    number: int
    """of this function, from 1 on, with those that were refused"""
    where: str
    """the line that called it: "run.py:41" """
    seconds: float = 0.0
    """of tracing and compiling, by a call; what is traced within counts here too"""
    refused: bool = False
    """whether it was beyond a budget, so that there is no program"""
    changes: tuple[Change, ...] = ()
    """in what it differs from the nearest of the earlier programs"""
    nearest: int = 0
    """the number of that one's trace; 0: there is none"""
    help: tuple[str, ...] = ()
    budget: str = ""
    """what it was held against: "budget 2", "max_traces(1)" """
    verb: str = "traced"
    """ "compiled" where JAX traced nothing again, as for arrays that lie elsewhere"""
    by: str = "call"
    """the method that traced it: "call", "keep", "lower", "eval_shape", "donation" """
    counts: bool = True
    """whether a budget counts it: a call traced it, or compiled it"""
    is_cached: bool = False
    """whether the compiled program was found in JAX's persistent cache"""

    def __str__(self) -> str:
        lines = change_lines(self.changes)
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
        found = (
            " (compiled before: from the persistent cache)" if self.is_cached else ""
        )
        text = (
            f"`{self.function}` {does}{again}{stage}, the {ordinal(self.number)} time"
            f"{budget}, at {self.where}{took}{found}."
        )
        if not self.nearest:
            return text
        return f"{text} {'Against its nearest program:' if self.changes else _ELSE}"


def change_lines(changes: Sequence[Change]) -> list[str]:
    """Return the lines of a table of changes."""
    rows = [(path, f"{was} -> {now}", said) for path, was, now, said in _rows(changes)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def _rows(changes: Sequence[Change]) -> list[tuple[str, str, str, str]]:
    # What is said beside a dtype is not said again.
    said = " ".join(change.detail for change in changes)
    shown = [c for c in changes if c.kind != "context" or c.path not in said]
    return [(c.path, c.before, c.after, c.detail or c.kind) for c in shown]


class Traces(tuple[Trace, ...]):
    """Some traces, each shown by its own lines."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "no traces"

    def _repr_html_(self) -> str:
        return "".join(trace._repr_html_() for trace in self)  # pyright: ignore[reportPrivateUsage]


def helps(
    changes: Sequence[Change], known: Sequence[Aspects], *, has_budget: bool
) -> Iterator[str]:
    """Say what to write so that a function is traced less often.

    Args:
        changes: those of its latest trace
        known: what that and earlier ones were for
        has_budget: whether the function has one
    """
    more = ", or raise `traces=`" if has_budget else ""
    # Of several arrays the first is enough, and of what their sizes are as well.
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
                f"`{name}` has to be the same in every process: `fingerprint()` of the "
                "object that holds it, or `assert_same_everywhere`, tells whether it is"
            )
        elif change.kind == "shape" and len(seen) >= _MANY:
            yield (
                f"`{change.path}` has had {len(seen)} shapes: pad it to one of a few sizes, "
                f"chosen by a static field{more}"
            )
        elif change.kind == "function" and change.before == change.after:
            yield f"`{name}` is a new function at each call: name it at module level"


def _dtype(text: str) -> str:
    """Return what a static number is to be declared as; nothing of what is none."""
    for kind, dtype in ((int, "i32"), (float, "f32")):
        with contextlib.suppress(ValueError):
            kind(text)
            return dtype
    return ""


def ordinal(number: int) -> str:
    """Return a number as "3rd"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
