"""By what names a folder may be imported.

names_of("src/plates/generated")    ->    ["generated", "plates.generated", "src.plates.generated"]
names_of("../schemas")              ->    ["schemas"]
"""

import itertools
import os

_INIT = "__init__.py"


def names_of(path: str) -> list[str]:
    """Every end of the path that is a dotted name, the shortest first."""
    parts = os.path.normpath(path).replace(os.sep, "/").split("/")
    names = list(itertools.takewhile(str.isidentifier, reversed(parts)))[::-1]
    return [".".join(names[start:]) for start in reversed(range(len(names)))]


def holder_of(path: str) -> str:
    """The package that a folder lies in, by the `__init__.py` above it: "plates" for "src/plates/generated"."""
    parts: list[str] = []
    folder = os.path.dirname(os.path.abspath(path))
    while os.path.isfile(os.path.join(folder, _INIT)):
        folder, name = os.path.split(folder)
        parts.append(name)
    return ".".join(reversed(parts))
