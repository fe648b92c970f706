"""Arrays, and containers of them: what a dynamic field holds but objects.

A difference is noted by its path, and `WRONG` stands in place of the value, so that one
run finds all of them.
"""

from collections.abc import Iterator
from typing import Any, Final

import jax
import numpy as np

from ..dims import hashed
from ..evolution import parse_field, text
from .arrays import loaded, read_dtype, stored
from .conversions import widened
from .documents import MISFITS, CheckpointError, Encoded, Wrong, canonical
from .fitting import contrast, fits, is_like, noun
from .packing import opened_node
from .values import (
    NOTHING,
    WRONG,
    SavedPlace,
    StaticReader,
    are_pairs,
    imported,
    require_read,
    shown,
)

# What looking for the part of a value at a path raises where there is none.
_OF_NO_PART: Final = (StopIteration, Wrong)


class Trees(StaticReader):
    """Reads what is traced."""

    def note(self, path: str, what: str) -> Any:
        """Note a difference; nothing, if what is below has been noted."""
        if what:
            self.differences.append(f"`{path}` {what}" if path else f"the state {what}")
        return WRONG

    def dynamic(self, code: Encoded, place: SavedPlace) -> Any:
        """Return a value of a dynamic field, or `WRONG` where that was noted."""
        path, declared, like = place.path, place.declared, place.like
        try:
            value = self._dynamic(code, place)
        except Wrong as wrong:
            return self.note(path, str(wrong))
        if not fits(value, declared, place.package):
            what = f"is {noun(value)}, which `{text(declared)}` does not take"
            return self.note(path, what)
        if like is not NOTHING and not is_like(value, like):
            return self.note(path, contrast(value, like))
        return value

    def _dynamic(self, code: Encoded, place: SavedPlace) -> Any:
        match code:
            case ["array", str(dtype), list(shape), dict(said)]:
                return self._array(place, dtype, shape, said)
            case ["object", str(name), dict(fields)]:
                return self.object(place, name, fields)
            case ["tuple" | "list" | "dict" | "namedtuple", _, *_]:
                return self.container(code, place, self.dynamic)
            case ["node", str(name), str(rest), list(items)] if are_pairs(items):
                return self._node(place, name, rest, items)
            case ["shared"]:
                return imported("sharing").HOLE
            case (
                None
                | bool()
                | int()
                | str()
                | ["str" | "int" | "float" | "complex", *_]
            ):
                return self.static(code, place)
            case _:
                raise Wrong(f"is {shown(code)}, which no dynamic field holds")

    def _array(
        self, place: SavedPlace, dtype: str, shape: list[int], said: dict[str, Any]
    ) -> Any:
        self.used.add(place.path)
        array = self.arrays.get(place.path)
        try:
            if array is None and 0 in shape:
                # Not every store has arrays without elements.
                array = np.zeros(shape, read_dtype(dtype))
            if array is None:
                raise Wrong(f"is missing among the arrays: {dtype}{shape} was saved")
            value = loaded(array, dtype, shape, said)
        except MISFITS as error:
            raise Wrong(str(error)) from None
        if canonical(stored(value)[1]) != canonical([dtype, shape, said]):
            raise Wrong(f"is {noun(value)}, which is not how {shown(said)} is written")
        return widened(value, place.declared) if place.is_cast else value

    def _node(
        self, place: SavedPlace, name: str, rest: str, items: list[Encoded]
    ) -> Any:
        like = place.like
        opened = None if like is NOTHING else opened_node(like)
        if opened is None or self.package.name_of(type(like)) != name:
            raise Wrong(
                f"is a pytree of `{name}`, which no schema declares: give `like=`, a state "
                "with such a one in its place"
            )
        children, now = opened
        if (rest, [step for step, _ in items]) != (now, [step for step, _ in children]):
            raise Wrong(f"is another `{name}` than that of `like`")
        pairs = zip(items, children, strict=True)
        made = [
            self.dynamic(code, place.below(step, like=one))
            for (step, code), (_, one) in pairs
        ]
        require_read(made)
        structure: Any = jax.tree_util.tree_structure
        treedef = structure(like, is_leaf=lambda one: one is not like)
        return jax.tree_util.tree_unflatten(treedef, made)

    def part(
        self, code: Encoded, place: SavedPlace, at: str
    ) -> tuple[Encoded, SavedPlace]:
        """Go to a path; return what is written of the value there, and its place.

        Raises:
            CheckpointError: there is nothing
        """
        while place.path != at:
            parts = self._parts(code, place)
            try:
                _, place, code = next(one for one in parts if is_below(at, one[1].path))
            except _OF_NO_PART:
                rest = at[len(place.path) :].lstrip(".")
                raise CheckpointError(
                    f"nothing was saved at `{at}`: there is no `{rest}`; a path is "
                    "written `model.blocks[0]`"
                ) from None
        return code, place

    def _parts(
        self, code: Encoded, place: SavedPlace
    ) -> Iterator[tuple[Any, SavedPlace, Encoded]]:
        """Yield the parts of a value as `children` does; of an object, its fields."""
        match code:
            case ["object", str(name), dict(fields)]:
                for one, inner in fields.items():
                    _, then = parse_field(self.classes[name]["fields"][one])
                    yield one, place.below(f".{one}", hashed(one), declared=then), inner
            case _:
                yield from self.children(code, place)


def is_below(path: str, part: str) -> bool:
    """Tell whether a path is that of a part, or leads into it."""
    return not part or path == part or path.startswith((f"{part}.", f"{part}["))
