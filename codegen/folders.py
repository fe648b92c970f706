"""By what names a folder may be imported.

names_of("src/plates/generated")    ->    ["generated", "plates.generated", "src.plates.generated"]
names_of("../schemas")              ->    ["schemas"]
"""

import itertools
import os


def names_of(path: str) -> list[str]:
    """Every end of the path that is a dotted name, the shortest first."""
    parts = os.path.normpath(path).replace(os.sep, "/").split("/")
    names = list(itertools.takewhile(str.isidentifier, reversed(parts)))[::-1]
    return [".".join(names[start:]) for start in reversed(range(len(names)))]
