"""Calls that pass the contents of Refs as donated arrays, and write them back.

    in_place(key, donated, kept)    # as the jitted function that gets the Refs themselves

JAX does the same, but outside of the fast path of its calls: there, a small call with a
Ref takes ten times as long as one with a donated array.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.sharding import SingleDeviceSharding

from .call.structures import make_pick
from .donation.buffers import donates
from .tracing import current_call


class InPlace:
    """A jitted function of the key of a program, the donated and the kept leaves."""

    def __init__(self, jitted: Any, refs: Sequence[int], count: int) -> None:
        """Wrap a jitted function.

        Args:
            jitted: gets the leaves; or as the donated ones a tuple of these and of the
                contents of Refs, see `run_in_place`
            refs: the positions of Refs among the kept leaves, in order
            count: the number of kept leaves
        """
        self._jitted = jitted
        self._refs = refs
        self._others = make_pick([i for i in range(count) if i not in refs])

    def __call__(self, key: Any, donated: list[Any], kept: list[Any]) -> Any:
        """Call the function, and write the new contents into the Refs."""
        contents = self._contents(kept)
        if not contents:
            return self._jitted(key, donated, kept)
        results, written = self._jitted(key, (donated, contents), self._others(kept))
        for content, new in zip(contents, written, strict=True):
            # As JAX does: the array that was donated gets the buffer of the new one.
            content._replace_with(new)  # noqa: SLF001
        return results

    def trace(self, key: Any, donated: list[Any], kept: list[Any]) -> Any:
        """Trace the function that a call runs; for other methods the one with Refs."""
        call, contents = current_call(), self._contents(kept)
        if not contents or call is None or call.by != "call":
            return self._jitted.trace(key, donated, kept)
        return self._jitted.trace(key, (donated, contents), self._others(kept))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jitted, name)

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
        return contents if is_distinct and donates() else []


def run_in_place(
    run: Callable[[list[Any], list[Any]], Any],
    leaves: tuple[list[Any], list[Any]],
    others: Sequence[Any],
    positions: Sequence[int],
) -> tuple[Any, list[Any]]:
    """Run a traced function with a Ref for each content; also return their contents.

    Args:
        run: gets the donated and the kept leaves
        leaves: the donated leaves, and the contents of Refs
        others: the kept leaves without Refs
        positions: of the Refs among the kept leaves
    """
    donated, contents = leaves
    refs, kept = [*map(jax.new_ref, contents)], [*others]
    for position, ref in zip(positions, refs, strict=True):
        kept.insert(position, ref)
    return run(donated, kept), [ref[...] for ref in refs]


def in_order(paths: Sequence[str], count: int, positions: Sequence[int]) -> list[str]:
    """Return the paths of leaves in the order in which `run_in_place` gets them.

    Args:
        paths: of the donated leaves, then of the kept ones
        count: the number of donated leaves
        positions: of the Refs among the kept leaves
    """
    kept = paths[count:]
    others = [path for i, path in enumerate(kept) if i not in positions]
    return [*paths[:count], *(kept[i] for i in positions), *others]
