r"""The syntax tree of the schemas to write.

    SchemaModule("plate", "heat.plate", "...", (SchemaClass("Plate", fields=(SchemaField(...),)),))

Types and defaults are text in the schema language. A name that must be imported is marked:
"\\0jax:Array\\0 | None". Its name in the file is chosen when the file is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

NAME_MARK = "\0"


def mark_name(module: str, name: str) -> str:
    """Return the mark for a name of a module: of the language, Python, or an adopted class."""
    return f"{NAME_MARK}{module}:{name}{NAME_MARK}"


class SchemaField(Struct, frozen=True):
    """A field of a schema."""

    name: str
    role: str
    type: str
    default: str = ""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """The arguments of `field(...)`. Example: {"factory": '"heat.plate:zeros"'}"""
    doc: str = ""
    comments_above: tuple[str, ...] = ()
    """The lines of comments above it."""


class SchemaClass(Struct, frozen=True):
    """A class of a schema."""

    name: str
    full_name: str  # of the class that it replaces
    bases: tuple[str, ...]
    options: Mapping[str, str]
    """The options in the class header. Example: {"kw_only": "True"}"""
    doc: str
    fields: tuple[SchemaField, ...]
    dimensions: tuple[str, ...] = ()
    """Its dimension parameters."""


class SchemaModule(Struct, frozen=True):
    """A schema file."""

    name: str  # relative to the schema folder. Example: "envs.cart"
    source: str  # the module that defined its classes. Example: "gym.envs.cart"
    doc: str
    classes: tuple[SchemaClass, ...]
    parameters: tuple[str, ...] = ()
    """Its TypeVars."""
    dimensions: tuple[str, ...] = ()
    """The dimensions of its classes."""


class Note(Struct, frozen=True):
    """A remark in the report about a class that is adopted."""

    kind: str  # Example: "not observed"
    name: str
    path: str = field(name="file")
    line: int
    why: str


class Factory(Struct, frozen=True):
    """A function to add to a source. It creates the default of a field."""

    name: str  # Example: "_plate_u_default"
    module: str
    owner: str  # the class. Example: "heat.plate.Plate"
    expression: str  # Example: "jnp.zeros(3)"
    is_shared: bool = False
    """Whether all objects share one value, created at import, as with a default."""


class Decision(Struct, frozen=True):
    """The decision for a package."""

    modules: tuple[SchemaModule, ...]
    notes: tuple[Note, ...] = ()
    factories: tuple[Factory, ...] = ()
