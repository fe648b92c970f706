"""In what two calls differ, by paths and as text.

find_changes(describe(call), describe(later), axis_names(later))
# [Change("plate.u", "f32[64,64]", "f32[128,64]", "shape", "nx: 64 -> 128")]
"""

import contextlib
import dataclasses
import inspect
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Final

import jax

from ..classes.trees import parts_of
from ..keys.names import is_generated
from ..leaves import Leaf, map_leaves
from ..shapes.terms import is_variadic, shown_dim
from .calls import ProgramCall
from .described import Aspects

# What is said of a value in a mixture of kinds: the first that one of them is.
_KINDS: Final = ("function", "static", "structure", "class")
_X64: Final = ("context", "jax_enable_x64")


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """In what a call differs from an earlier program."""

    path: str  # Example: "plate.thickness"
    before: str
    after: str
    # "static", "function", "class", "shape", "dtype", "weak type", "sharding",
    # "committed", "structure" or "context"
    kind: str
    # What is printed in place of the kind, if there is more to say.
    detail: str = ""


def find_changes(
    before: Aspects, after: Aspects, names: Mapping[str, tuple[str, ...]]
) -> Iterator[Change]:
    """Yield all in which two calls differ, as far as both are known.

    Args:
        before: what the one was traced for
        after: what the other is
        names: those of the axes of its arrays, by their paths
    """
    was_wide, now_wide = (each.get(_X64) for each in (before, after))
    for place, now in after.items():
        # What is not in both is within what differs. Of what is traced, less is known.
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
                # Said beside what it has changed.
                on = "on" if was_wide[0].text == "True" else "off"
                detail = f"dtype (jax_enable_x64 was {on})"
            yield Change(place[1], old.text, new.text, kind, detail)


# --- names of dimensions


def _sizes(names: tuple[str, ...], was: Any, now: Any) -> str:
    """Say which dimensions with a name have changed."""
    rank = len(now)
    place = next((i for i, name in enumerate(names) if is_variadic(name)), 0)
    several = sum(map(is_variadic, names))
    unnamed = rank - len(names) + several
    if len(was) != rank or several > 1 or unnamed < 0:
        return ""
    # Where none is variadic, what stands in front is a stack of objects.
    named = (*names[:place], *[""] * unnamed, *names[place + several :])
    return ", ".join(
        f"{name}: {one} -> {other}"
        for name, one, other in zip(named, was, now, strict=True)
        if one != other and name not in ("", "_") and not name.isdigit()
    )


def axis_names(call: ProgramCall) -> dict[str, tuple[str, ...]]:
    """Return the names of the axes of each array, by its path."""
    structure = call.program.structure
    found: dict[int, tuple[str, ...]] = {}

    def note(leaf: Leaf) -> None:
        if leaf.axes is not None and type(leaf.value) is int:
            found[leaf.value] = tuple(shown_dim(axis.dim) for axis in leaf.axes)

    # Annotations may be any text, and raise anything.
    with contextlib.suppress(Exception):
        numbered = dict(structure.numbered)
        for part in jax.tree_util.tree_leaves(numbered, is_leaf=is_generated):
            if is_generated(part):
                map_leaves(part, note)
        signature = inspect.signature(call.program.implementation.run, eval_str=True)
        hints = [parameter.annotation for parameter in signature.parameters.values()]
        for number, value in numbered.items():
            found |= _annotated(hints[number], value)
            # Of a stack of objects: Annotated[Block, "stacked: layers"]
            for text in getattr(hints[number], "__metadata__", ()):
                if str(text).startswith("stacked: "):
                    for leaf in found.keys() & jax.tree_util.tree_leaves(value):
                        found[leaf] = (*text.split()[1:], *found[leaf])
    paths = structure.pick(structure.paths)
    return {paths[number]: names for number, names in found.items()}


def _annotated(hint: Any, value: Any) -> dict[int, tuple[str, ...]]:
    """Return the names that jaxtyping's annotations have for arrays outside of objects."""
    options = (hint, *typing.get_args(hint))
    if type(value) is int:
        texts = [one.dim_str for one in options if hasattr(one, "dim_str")]
        return {value: tuple(texts[0].split())} if len(texts) == 1 else {}
    found: dict[int, tuple[str, ...]] = {}
    parts, kind = [*parts_of(value).values()], type(value)
    for one in options:
        if typing.get_origin(one) is kind and kind in (tuple, list, dict):
            inner = [each for each in typing.get_args(one) if each is not ...]
            is_fixed = kind is tuple and len(inner) == len(parts)
            hints = inner if is_fixed else inner[-1:] * len(parts)
            for pair in zip(hints, parts, strict=True):
                found |= _annotated(*pair)
    return found
