"""Write a user's own files, as `codegen init` does.

create("demo/schemas/example.pyi", "...")   # True; False where something is there already
replace("demo/.gitattributes", "...")       # all of the text or, where that fails, the old one
"""

import os
import shutil
from contextlib import suppress

from codegen.files import system
from codegen.files.leftovers import temporary_name
from codegen.files.read import regular


def text_of(path: str) -> str | None:
    """The text of a file; None where there is none."""
    try:
        return regular(os.path.realpath(path)).decode()
    except FileNotFoundError:
        return None


def like(before: str, after: str) -> str:
    """A text with the line ends of the one that it replaces."""
    if "\r\n" not in before:
        return after
    return after.replace("\r\n", "\n").replace("\n", "\r\n")


def create(path: str, text: str) -> bool:
    """Write a new file, and the folders that it needs; False where the path is taken."""
    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True


def replace(path: str, text: str) -> None:
    """Write a file anew, or for the first time: all of it or, where that fails, nothing."""
    temporary = os.path.join(os.path.dirname(path), temporary_name())
    try:
        with open(temporary, "x", encoding="utf-8", newline="") as file:
            file.write(text)
        with suppress(FileNotFoundError):
            shutil.copymode(path, temporary)
        system.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
