"""Calls that pass the contents of Refs as donated arrays, and write them back.

    in_place(key, donated, kept)    # as the jitted function that gets the Refs themselves

JAX does the same, but outside of the fast path of its calls: there, a small call with a
Ref takes ten times as long as one with a donated array.

Between the program's run and the last written Ref, no bytecode of Python runs, so that no
signal handler does: an interrupt there would lose the contents, which were donated. This
holds once JAX knows the call. Before, JAX runs Python of its own there.
"""

import collections
import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
from jax.sharding import SingleDeviceSharding

from .call.errors import runs_again
from .call.structures import make_pick
from .internals import active, array_type, identity, no_trace
from .tracing import current_call

# Runs through an iterator, and keeps nothing.
_drain: Final = collections.deque[Any](maxlen=0).extend


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
        arguments = self._leaves(contents, donated, kept)
        # JAX may run the call again to find a NaN: the Refs must still exist.
        calls = map(self._pair[not runs_again()], (key,), *zip(arguments))
        results = itertools.chain.from_iterable(calls)
        boxes = [ref._refs for ref in self._refs(kept)]  # noqa: SLF001
        _drain(map(setattr, boxes, itertools.repeat("_buf"), results))
        return next(results)

    def trace(self, key: object, donated: list[Any], kept: list[Any]) -> object:
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
        refs = self._refs(kept)
        try:  # Not public: without these, the function always gets the Refs.
            contents = [ref._refs._buf for ref in refs]  # noqa: SLF001
            kinds = {(type(x), type(x.sharding)) for x in contents}
        except AttributeError:
            return []
        is_simple = kinds <= {(array_type, SingleDeviceSharding)}
        is_distinct = len({*map(identity, contents)}) == len(refs)
        return contents if is_simple and is_distinct else []


def run_in_place(
    run: Callable[[list[Any], list[Any]], Any],
    leaves: tuple[list[Any], list[Any]],
    others: Sequence[Any],
    positions: Sequence[int],
) -> list[Any]:
    """Run a traced function with a Ref for each content; return the new contents, and then
    its results.

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
    return [*(ref[...] for ref in refs), results]


def in_order(paths: Sequence[str], count: int, positions: Sequence[int]) -> list[str]:
    """Return the paths of leaves in the order in which `run_in_place` gets them.

    `count` leaves are donated; the `positions` of Refs are those among the kept leaves.
    """
    kept = paths[count:]
    others = [path for i, path in enumerate(kept) if i not in positions]
    return [*(kept[i] for i in positions), *paths[:count], *others]
