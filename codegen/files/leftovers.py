"""Temporary files: how they are named, and what became of those of a build that was killed.

temporary_name()   # ".5f0c1e9a7b3d2468.codegen-tmp"
clear("generated") # removes every file named like that
"""

import os


def temporary_name() -> str:
    """A name that nobody else takes or foresees."""
    return f".{os.urandom(8).hex()}.codegen-tmp"


def clear(folder: str) -> bool:
    """Remove what killed builds left in a folder and below; only under its lock.

    A folder below goes too if nothing else was in it. Hidden ones are none of ours and are
    passed over, and no symbolic link is followed.

    Returns:
        Whether something was removed from this very folder.
    """
    # Loaded late: a build that finds nothing to do has nothing to clear.
    import re  # noqa: PLC0415
    from contextlib import suppress  # noqa: PLC0415

    temporary = re.compile(r"\.[0-9a-f]{16}\.codegen-tmp")
    with os.scandir(folder) as found:
        entries = list(found)
    was_cleared = False
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
            if clear(entry.path):
                with suppress(OSError):
                    os.rmdir(entry.path)
                    was_cleared = True
        elif temporary.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
            with suppress(FileNotFoundError):
                os.unlink(entry.path)
                was_cleared = True
    return was_cleared
