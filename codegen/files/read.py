"""Read a file without being led elsewhere.

regular("generated/heat.py")            # b"# Code generated ..."; never through a link
regular("schemas/heat.pyi", 1_048_577)  # no more bytes than that
"""

import errno
import os
import stat

from codegen.files.system import flags, is_link


def regular(path: str, bytes_max: int = -1) -> bytes:
    """The bytes of a regular file.

    Raises:
        OSError: where it cannot be read, is a symbolic link (ELOOP), or is something else
            than a regular file (EINVAL): opening a pipe would wait for a writer.
    """
    if not hasattr(os, "O_NOFOLLOW") and is_link(path):
        raise OSError(errno.ELOOP, "is a symbolic link", path)
    descriptor = os.open(path, flags("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK"))
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "is not a regular file", path)
        try:
            return file.read(bytes_max)
        except OSError as error:
            error.filename = path
            raise
