"""What a build is told besides its schemas, how large these may be, and what folders are imported as.

    Options(root="schemas", out="generated", registration="exact")

Nothing here may reach the output as a path: the same schemas give the same bytes wherever
they lie.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from itertools import takewhile

from msgspec import Struct

from codegen import runtime

SCHEMA_BYTES_MAX = 1 << 20
PATH_CHARACTERS_MAX = 4096
FOLDERS_MAX = 100
"""How many folders a schema may lie below, in the schema folder."""
# What `[tool.codegen] features` may name: the runtime has it, which reads nothing of the rest.
FEATURES = runtime.FEATURES


class TooDeepError(RecursionError):
    """A schema is nested too deeply, or something finds no end in it; the text is its path."""


@contextmanager
def naming_schema(path: str) -> Generator[None, None, None]:
    """Have a RecursionError name the schema that is read or checked here."""
    try:
        yield
    except TooDeepError:
        raise
    except RecursionError as error:
        raise TooDeepError(path) from error


class Options(Struct, frozen=True):
    """The settings that the stages of a build see."""

    root: str
    """The schema folder, as shown to the user: "schemas"."""
    out: str
    """The output folder, as shown to the user: "generated"."""
    registration: str = "exact"
    """How a class is registered where it does not say: "exact" or "jax"."""
    runtime: str = "vendored"
    """Where the support package is: "vendored", beside the output, or "package", `codegen.runtime`."""
    checks: bool = True
    """Whether functions check the declared dtypes and shapes when they are traced."""
    features: tuple[str, ...] = ()
    """Parts of the support package that are wanted though no schema needs them: `("jit",)`."""
    keeps_module: bool = False
    """Whether a class says that it is of the module that its schema is called like, beside the output."""
    holder: str = ""
    """The package that the output folder lies in, for that, and since its own modules may import the
    output; empty where it lies in none."""


def names_of(path: str) -> list[str]:
    """By what names a folder may be imported, the shortest first.

    names_of("src/plates/generated")    ->    ["generated", "plates.generated", "src.plates.generated"]
    names_of("../schemas")              ->    ["schemas"]
    """
    parts = os.path.normpath(path).replace(os.sep, "/").split("/")
    names = list(takewhile(str.isidentifier, reversed(parts)))[::-1]
    return [".".join(names[start:]) for start in reversed(range(len(names)))]


def holder_of(path: str) -> str:
    """The package that a folder lies in, by the `__init__.py` above it: "plates" for "src/plates/generated"."""
    parts: list[str] = []
    folder = os.path.dirname(os.path.abspath(path))
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.append(name)
    return ".".join(reversed(parts))
