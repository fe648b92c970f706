"""Write files, all or none: what fails, or is found wrong afterwards, is put back.

write([Change("schemas/plate.pyi", None, b"...")])
put_back([Change("schemas/plate.pyi", None, b"...")])
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from codegen.files.leftovers import temporary_name
from codegen.files.rewrite import rewrite


class Change(Struct, frozen=True):
    """What a file is to hold; before it held something else, or was not there."""

    path: str
    before: bytes | None
    after: bytes


def write(changes: Sequence[Change]) -> None:
    """Write the files; where one cannot be, none.

    Raises:
        OSError: where one cannot be written, or is not what was read any more.
    """
    done: list[Change] = []
    try:
        for one in changes:
            done.append(one)
            _write(one)
    except BaseException:
        put_back(done)
        raise


def put_back(changes: Sequence[Change]) -> None:
    """Bring the files to what they were, and remove those that were not there."""
    for one in reversed(changes):
        with suppress(OSError):
            if one.before is not None:
                rewrite(one.path, one.after, one.before)
            else:
                os.unlink(one.path)
                _prune(os.path.dirname(one.path))


def _write(one: Change) -> None:
    if one.before is not None:
        rewrite(one.path, one.before, one.after)
        return
    folder = os.path.dirname(one.path) or os.curdir
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, temporary_name())
    try:
        with open(temporary, "xb") as file:
            file.write(one.after)
        os.link(temporary, one.path)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _prune(folder: str) -> None:
    """Remove folders that nothing lies in any more."""
    with suppress(OSError):
        while folder:
            os.rmdir(folder)
            folder = os.path.dirname(folder)
