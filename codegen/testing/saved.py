"""The property of checkpoints: `unpack` returns what `pack` took.

packed(plate, pack, unpack)     # AssertionError if something is lost
"""

from __future__ import annotations

import functools
import json
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

import jax

from codegen.testing.content import content

# Its own types leave open much of what is used here.
_jax: Final[Any] = jax
NOT_PICKLED: Final = (AttributeError, TypeError, pickle.PicklingError)


def packed(value: Any, pack: Callable[..., Any], unpack: Callable[..., Any]) -> None:
    """Packed and unpacked, an object is equal; its text is the same in every process."""
    arrays, about = pack(value)
    document = json.loads(about)
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    assert about == canonical, "its text is not canonical"
    try:
        again = unpack(type(value), arrays, about)
    except ValueError as error:
        # Most functions need `like=`, as do values that no schema declares.
        differences = getattr(error, "differences", ())
        if not all("`like=" in text or "`statics=" in text for text in differences):
            raise
        again = unpack(type(value), arrays, about, like=value)
    assert content(again) == content(value), f"it becomes {again}"
    assert pack(again).about == about, "packed again, it has another text"
    if can_be_pickled(value):
        there = _elsewhere().submit(_text, pack, pickle.dumps(value)).result()
        assert there == about, "in another process it has another text"


@functools.cache
def _elsewhere() -> ProcessPoolExecutor:
    """Return another process, which has other addresses and hashes of strings."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, context, initializer=_on_cpu)


def _on_cpu() -> None:
    _jax.config.update("jax_platforms", "cpu")


def _text(pack: Callable[..., Any], value: bytes) -> str:
    text: str = pack(pickle.loads(value)).about  # noqa: S301 - pickled here
    return text


def can_be_pickled(value: object) -> bool:
    try:
        pickle.dumps(value)
    except NOT_PICKLED:
        return False
    return True
