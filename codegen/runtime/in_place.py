"""Calls that pass the contents of Refs as donated arrays, and write them back.

    in_place(key, donated, kept)    # as the jitted function that gets the Refs themselves

JAX does the same, but outside of the fast path of its calls: there, a small call with a
Ref takes ten times as long as one with a donated array.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.sharding import SingleDeviceSharding

from .call.errors import donates
from .call.structures import make_pick
from .tracing import active, current_call, no_trace


class InPlace:
    """A jitted function of the key of a program, the donated and the kept leaves."""

    def __init__(
        self, jitted: Any, retaining: Any, refs: Sequence[int], count: int
    ) -> None:
        """Wrap a jitted function.

        Args:
            jitted: donates its second argument: the donated leaves, or a tuple of the
                contents of Refs and of these, see `run_in_place`
            retaining: the same function without donation, if calls donate only the
                contents of Refs; otherwise None
            refs: the positions of Refs among the kept leaves, in order
            count: the number of kept leaves
        """
        self._donating = jitted
        self._retains = retaining is not None
        # Gets the Refs themselves.
        self._jitted = retaining or jitted
        self._refs = refs
        self._others = make_pick([i for i in range(count) if i not in refs])

    def __call__(self, key: Any, donated: list[Any], kept: list[Any]) -> Any:
        """Call the function, and write the new contents into the Refs."""
        contents = self._contents(kept)
        if not contents:
            return self._jitted(key, donated, kept)
        written, results = self._donating(key, *self._leaves(contents, donated, kept))
        for content, new in zip(contents, written, strict=True):
            # As JAX does: the array that was donated gets the buffer of the new one.
            content._replace_with(new)  # noqa: SLF001
        return results

    def trace(self, key: Any, donated: list[Any], kept: list[Any]) -> Any:
        """Trace the function that a call runs; for other methods the one with Refs."""
        call, contents = current_call(), self._contents(kept)
        if not contents or call is None or call.by != "call":
            return self._jitted.trace(key, donated, kept)
        return self._donating.trace(key, *self._leaves(contents, donated, kept))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jitted, name)

    def _leaves(
        self, contents: list[Any], donated: list[Any], kept: list[Any]
    ) -> tuple[tuple[list[Any], list[Any]], list[Any]]:
        """Return the leaves that the function donates, and the others."""
        others = [*self._others(kept)]
        if self._retains:
            return (contents, []), [*donated, *others]
        return (contents, donated), others

    def _contents(self, kept: list[Any]) -> list[Any]:
        """Return the arrays of the Refs; none if the function must get the Refs.

        It gets traced and abstract Refs, and a Ref in two places, which JAX refuses. On
        several devices, XLA could choose another sharding for the new contents.
        """
        try:
            # Not public: without these, the function always gets the Refs.
            contents = [kept[position]._refs._buf for position in self._refs]  # noqa: SLF001
            _ = contents[0]._replace_with  # noqa: SLF001
            for content in contents:
                if type(content.sharding) is not SingleDeviceSharding:
                    return []
        except AttributeError:
            return []
        is_distinct = len(contents) < 2 or len({*map(id, contents)}) == len(contents)
        is_traced = active.value is not no_trace
        return contents if is_distinct and not is_traced and donates() else []


def run_in_place(
    run: Callable[[list[Any], list[Any]], Any],
    leaves: tuple[list[Any], list[Any]],
    others: Sequence[Any],
    positions: Sequence[int],
) -> tuple[list[Any], Any]:
    """Run a traced function with a Ref for each content; return the new contents first.

    XLA then reuses the buffer of a Ref for its own new content, even if the function
    also returns an array of the same shape.

    Args:
        run: gets the donated and the kept leaves
        leaves: the contents of Refs, and the donated leaves
        others: the kept leaves without Refs
        positions: of the Refs among the kept leaves
    """
    contents, donated = leaves
    refs, kept = [*map(jax.new_ref, contents)], [*others]
    for position, ref in zip(positions, refs, strict=True):
        kept.insert(position, ref)
    results = run(donated, kept)
    return [ref[...] for ref in refs], results


def in_order(paths: Sequence[str], count: int, positions: Sequence[int]) -> list[str]:
    """Return the paths of leaves in the order in which `run_in_place` gets them.

    Args:
        paths: of the donated leaves, then of the kept ones
        count: the number of donated leaves
        positions: of the Refs among the kept leaves
    """
    kept = paths[count:]
    others = [path for i, path in enumerate(kept) if i not in positions]
    return [*(kept[i] for i in positions), *paths[:count], *others]
