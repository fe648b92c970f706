"""Add to a user's own files, and never take anything from them.

create("demo/schemas/example.pyi", "...")   # True; False where something is there already
extend("demo/.gitattributes", "...")        # appended, behind a line end
"""

import os


def text_of(path: str) -> str | None:
    """The text of a file; None where there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


def create(path: str, text: str) -> bool:
    """Write a new file, and the folders that it needs; False where the path is taken."""
    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True


def extend(path: str, text: str) -> None:
    """Append to a file, which is made if it is missing. What it holds stays as it is."""
    before = text_of(path) or ""
    gap = "" if before.endswith("\n") or not before else "\n"
    with open(path, "a", encoding="utf-8", newline="") as file:
        file.write(gap + text)
