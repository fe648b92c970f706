"""Report the steps of a long job to listeners, such as a progress bar.

with listening(print):
    for module in steps("reading", modules):  # prints: reading 0 100, reading 1 100, ...
        ...
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Listener: TypeAlias = Callable[[str, int, int], None]
"""Takes the name of the job, how many of its parts are done, and how many there are."""

_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Generator[None, None, None]:
    """Call `listener` for every step in the block."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.pop()


def steps(what: str, parts: Sequence[T]) -> Iterator[T]:
    """Yield the parts one by one; call the listeners before each."""
    for done, part in enumerate(parts):
        for listener in _listeners:
            listener(what, done, len(parts))
        yield part
