"""The options of a build, the limits of schemas, and the import names of folders.

    Options(root="schemas", out="generated", runtime="package")

No path may reach the output: the same schemas give the same bytes in every folder.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from itertools import takewhile

from msgspec import Struct

SCHEMA_BYTES_MAX = 1 << 20
PATH_CHARACTERS_MAX = 4096
FOLDERS_MAX = 100
"""The maximum number of nested folders inside the schema folder."""
# The allowed values of `[tool.codegen] features`, a setting that 1.0.0rc1 needed.
FEATURES = ("checkpoint", "export", "identities", "jit", "lift", "memory", "mesh")
_ROOT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
"""The files that mark the root of a repository."""


class TooDeepError(RecursionError):
    """A schema is nested too deeply, or its analysis does not end. The text is its path."""


@contextmanager
def naming_schema(path: str) -> Generator[None, None, None]:
    """Turn a RecursionError in the block into an error that names the schema."""
    try:
        yield
    except TooDeepError:
        raise
    except RecursionError as error:
        raise TooDeepError(path) from error


class Options(Struct, frozen=True):
    """The settings for the stages of a build."""

    root: str
    """The schema folder, as shown to the user: "schemas"."""
    out: str
    """The output folder, as shown to the user: "generated"."""
    runtime: str = "package"
    """The run time: "package" for `codegen.runtime`, or "vendored" for a copy beside the output."""
    checks: bool = True
    """Whether functions check the declared dtypes and shapes when they are traced."""
    holder: str = ""
    """The package that contains the output folder; empty if there is none. Its modules may import the
    output."""


def import_names(path: str) -> list[str]:
    """Return the names under which a folder may be imported, the shortest first.

    import_names("src/plates/generated")    ->    ["generated", "plates.generated", "src.plates.generated"]
    import_names("../schemas")              ->    ["schemas"]
    """
    parts = os.path.normpath(path).split("/")
    names = list(takewhile(str.isidentifier, reversed(parts)))[::-1]
    return [".".join(names[start:]) for start in reversed(range(len(names)))]


def containing_package(path: str) -> str:
    """Return the package around a folder: "plates" for "src/plates/generated".

    A parent folder belongs to the package if it has an `__init__.py`, and is not the root of a
    repository.
    """
    parts: list[str] = []
    folder = os.path.dirname(os.path.abspath(path))
    while is_package(folder):
        folder, name = os.path.split(folder)
        parts.append(name)
    return ".".join(reversed(parts))


def is_package(folder: str) -> bool:
    """Return whether a folder has an `__init__.py`, and is not the root of a repository."""
    is_root = any(os.path.exists(os.path.join(folder, name)) for name in _ROOT_FILES)
    return not is_root and os.path.isfile(os.path.join(folder, "__init__.py"))
