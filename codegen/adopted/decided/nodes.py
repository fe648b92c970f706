r"""What is to be written: the tree of the schemas.

    SchemaModule("plate", "heat.plate", "...", (SchemaClass("Plate", fields=(SchemaField(...),)),))

Types and defaults are texts of the schema language, in which a name that has to be imported is marked:
"\\0jax:Array\\0 | None". What it is called in the file is settled when the file is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

MARK = "\0"


def named(module: str, name: str) -> str:
    """The mark for a name of a module: of the language, of Python, or a class that is adopted too."""
    return f"{MARK}{module}:{name}{MARK}"


class SchemaField(Struct, frozen=True):
    """A field of a schema."""

    name: str
    role: str
    type: str
    default: str = ""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """What `field(...)` says. Example: {"factory": '"heat.plate:zeros"'}"""
    doc: str = ""
    above: tuple[str, ...] = ()
    """The lines of comments above it."""


class SchemaClass(Struct, frozen=True):
    """A class of a schema."""

    name: str
    full_name: str  # of the class that it stands for
    bases: tuple[str, ...]
    options: Mapping[str, str]
    """What stands behind the bases. Example: {"kw_only": "True"}"""
    doc: str
    fields: tuple[SchemaField, ...]
    dimensions: tuple[str, ...] = ()
    """Its parameters for sizes."""


class SchemaModule(Struct, frozen=True):
    """A schema file."""

    name: str  # below the schema folder. Example: "envs.cart"
    source: str  # the module that its classes were taken from. Example: "gym.envs.cart"
    doc: str
    classes: tuple[SchemaClass, ...]
    parameters: tuple[str, ...] = ()
    """Its TypeVars."""
    dimensions: tuple[str, ...] = ()
    """Those of its classes."""


class Note(Struct, frozen=True):
    """What a report says of a class that is adopted all the same."""

    kind: str  # Example: "not observed"
    name: str
    path: str = field(name="file")
    line: int
    why: str


class Factory(Struct, frozen=True):
    """A function that is to stand in a source: it makes the default of a field."""

    name: str  # Example: "_plate_u_default"
    module: str
    owner: str  # the class. Example: "heat.plate.Plate"
    expression: str  # Example: "jnp.zeros(3)"
    is_shared: bool = False
    """Whether it is one object for all, made when the module is imported, as a default is."""


class Decision(Struct, frozen=True):
    """What becomes of a package."""

    modules: tuple[SchemaModule, ...]
    notes: tuple[Note, ...] = ()
    factories: tuple[Factory, ...] = ()
