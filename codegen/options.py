"""What a build is told besides its schemas, and how large these may be.

    Options(root="schemas", out="generated", registration="exact")

Nothing here may reach the output as a path: the same schemas give the same bytes wherever
they lie. The laws alone name the output, as the package that they import.
"""

from __future__ import annotations

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
    package: str = "generated"
    """What the output folder is imported as, by the laws."""
