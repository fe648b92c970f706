"""How far a long job is, told to whoever wants to know; at first, nobody does.

with listening(print):
    for module in steps("reading", modules):  # prints: reading 0 100, reading 1 100, ...
        ...
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Listener: TypeAlias = Callable[[str, int, int], None]
"""Takes what is done, how many parts of it are, and how many there are."""

_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Generator[None, None, None]:
    """Tell `listener` of every step below."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.pop()


def steps(what: str, parts: Sequence[T]) -> Iterator[T]:
    """Yield the parts one by one, and tell of each that it is about to be done."""
    for done, part in enumerate(parts):
        for listener in _listeners:
            listener(what, done, len(parts))
        yield part
