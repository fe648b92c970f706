"""Calls that pass the contents of Refs as donated arrays, and write them back.

    in_place(key, donated, kept)    # as the jitted function that gets the Refs themselves

JAX does the same, but outside of the fast path of its calls: there, a small call with a
Ref takes ten times as long as one with a donated array.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
from jax.sharding import SingleDeviceSharding

from .call.errors import ask_sharding, runs_again
from .call.structures import make_pick
from .tracing import active, current_call, no_trace

_ON_ONE_DEVICE: Final = {SingleDeviceSharding}
# A tuple with a name, because formatters write `except A, B:` for Python 3.14.
_ABSENT: Final = (AttributeError, TypeError)


class InPlace:
    """A jitted function of the key of a program, the donated and the kept leaves."""

    def __init__(
        self, pair: tuple[Any, Any], refs: Sequence[int], count: int, *, donates: bool
    ) -> None:
        """Wrap a jitted function.

        Args:
            pair: the function without donation, and the one that donates its second
                argument: the donated leaves, or a tuple of the contents of Refs and of
                these, see `run_in_place`
            refs: the positions of Refs among the kept leaves, in order
            count: the number of kept leaves
            donates: whether calls also donate the donated leaves
        """
        self._pair = pair
        self._donates = donates
        # Gets the Refs themselves.
        self._jitted = pair[donates]
        self._refs = make_pick(refs)
        self._others = make_pick([i for i in range(count) if i not in refs])

    def __call__(self, key: object, donated: list[Any], kept: list[Any]) -> Any:
        """Call the function, and write the new contents into the Refs."""
        contents = self._contents(kept)
        if not contents:
            return self._jitted(key, donated, kept)
        # JAX may run the call again to find a NaN: the Refs must still exist.
        run = self._pair[not runs_again()]
        written, results = run(key, *self._leaves(contents, donated, kept))
        for content, new in zip(contents, written, strict=True):
            # As JAX does: the array that was donated gets the buffer of the new one.
            content._replace_with(new)  # noqa: SLF001
        return results

    def trace(self, key: object, donated: list[Any], kept: list[Any]) -> Any:
        """Trace the function that a call runs; for other methods the one with Refs."""
        call, contents = current_call(), self._contents(kept)
        if not contents or call is None or call.by != "call":
            return self._jitted.trace(key, donated, kept)
        return self._pair[True].trace(key, *self._leaves(contents, donated, kept))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jitted, name)

    def _leaves(
        self, contents: list[Any], donated: list[Any], kept: list[Any]
    ) -> tuple[tuple[list[Any], list[Any]], list[Any]]:
        """Return the leaves that the function donates, and the others."""
        others = [*self._others(kept)]
        if self._donates:
            return (contents, donated), others
        return (contents, []), [*donated, *others]

    def _contents(self, kept: list[Any]) -> list[Any]:
        """Return the arrays of the Refs; none if the function must get the Refs.

        It gets traced and abstract Refs, and a Ref in two places, which JAX refuses. On
        several devices, XLA could choose another sharding for the new contents.
        """
        if active.value is not no_trace:
            return []
        try:
            # Not public: without these, the function always gets the Refs.
            contents = [ref._refs._buf for ref in self._refs(kept)]  # noqa: SLF001
            _ = contents[0]._replace_with  # noqa: SLF001
            kinds = set(map(type, map(ask_sharding, contents)))
        except _ABSENT:
            return []
        if kinds != _ON_ONE_DEVICE:
            return []
        # As exact as `id`. Python audits `id`, which is slow if an audit hook is set.
        is_distinct = len({*map(object.__hash__, contents)}) == len(contents)
        return contents if is_distinct else []


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
