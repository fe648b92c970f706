"""Replace a file that a user wrote, where it still is what was read; None where nothing was there.

rewrite("schemas/heat.pyi", before, after)
"""

import errno
import os
from contextlib import suppress

from codegen.files.leftovers import temporary_name
from codegen.files.read import regular
from codegen.files.system import replace


def rewrite(path: str, before: bytes | None, after: bytes) -> None:
    """Put `after` in the place of `before`; a file keeps its permissions, a new one gets its folders.

    Raises:
        OSError: where it cannot be written, or is not what was read any more (EBUSY).
    """
    target = os.path.realpath(path)
    found = _found(target)
    if found == after:
        return  # two links may lead to one file
    if found != before:
        raise OSError(errno.EBUSY, "was changed by somebody else meanwhile", path)
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, temporary_name())
    try:
        with open(temporary, "xb") as file:
            if found is not None:
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        replace(temporary, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temporary)
        raise OSError(error.errno, error.strerror, path) from error


def _found(path: str) -> bytes | None:
    try:
        return regular(path)
    except FileNotFoundError:
        return None
