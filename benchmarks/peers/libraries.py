"""Write a class with arrays and static fields in the style of each library.

    register_dataclass.write(Spec("State", arrays=("u",), statics=(("order", "int"),)))

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass(frozen=True)
    class State:
        u: jax.Array
        order: int = dataclasses.field(metadata={"static": True})

Each class follows the documentation of its library, so the measurements are those of typical user code.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib import metadata
from typing import Any


@dataclasses.dataclass(frozen=True)
class Spec:
    """A class: the names of its arrays, and the names and types of its static fields."""

    name: str
    arrays: tuple[str, ...] = ()
    statics: tuple[tuple[str, str], ...] = ()  # ("order", "int"), ("shape", "Any")

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all fields, arrays first."""
        return (*self.arrays, *(name for name, _ in self.statics))


@dataclasses.dataclass(frozen=True)
class Library:
    """A library that defines pytree classes."""

    name: str  # Example: "flax.struct"
    package: str  # the name of its distribution
    imports: str
    # Writes the class as source text, or as a schema if the library needs a build.
    write: Callable[[Spec], str]
    # Returns a new object with changed fields.
    replace: Callable[..., Any] = dataclasses.replace
    # False if every field is a child of the pytree.
    has_statics: bool = True
    # True if a build writes the class from its schema.
    is_generated: bool = False

    @property
    def version(self) -> str:
        """The installed version."""
        return metadata.version(self.package)


def _dataclass_like(decorators: str, static: str, base: str = "") -> Callable[[Spec], str]:
    """Write an annotated class body; `static` is the pattern of a static field with its NAME and TYPE."""

    def write(spec: Spec) -> str:
        lines = [*decorators.splitlines(), f"class {spec.name}{base}:"]
        lines += [f"    {name}: jax.Array" for name in spec.arrays]
        lines += [
            "    " + static.replace("NAME", name).replace("TYPE", type)
            for name, type in spec.statics
        ]
        return "\n".join(lines if spec.fields else [*lines, "    pass"])

    return write


def _module_like(base: str) -> Callable[[Spec], str]:
    """Write a class whose constructor assigns its fields."""

    def write(spec: Spec) -> str:
        lines = [
            f"class {spec.name}({base}):",
            f"    def __init__(self, {', '.join(spec.fields)}):",
        ]
        lines += [f"        self.{name} = nnx.data({name})" for name in spec.arrays]
        lines += [f"        self.{name} = nnx.static({name})" for name, _ in spec.statics]
        return "\n".join(lines)

    return write


def _schema(spec: Spec) -> str:
    lines = [f"class {spec.name}:"]
    lines += [f"    {name}: donated[Float[...]]" for name in spec.arrays]
    lines += [f"    {name}: static[{type}]" for name, type in spec.statics]
    return "\n".join(lines)


def _changed_in_place(value: Any, **changes: Any) -> Any:
    """Change an object as the library's documentation does: merge it again, then assign."""
    from flax import nnx  # noqa: PLC0415 - below it is the name of a library

    new = nnx.merge(*nnx.split(value))
    for name, change in changes.items():
        setattr(new, name, nnx.data(change))
    return new


def _method(value: Any, **changes: Any) -> Any:
    return value.replace(**changes)


def _named_tuple(spec: Spec) -> str:
    return f"{spec.name} = collections.namedtuple({spec.name!r}, {list(spec.fields)!r})"


def _tuple_replace(value: Any, **changes: Any) -> Any:
    return value._replace(**changes)


_DATACLASSES = "import dataclasses\nfrom typing import Any\nimport jax\n"
_VOCABULARY = "from typing import Any\nfrom codegen.schema import Float, donated, dynamic, static\n"
_STATIC = 'dataclasses.field(metadata={"static": True})'

generated = Library("codegen", "pytree-codegen", _VOCABULARY, _schema, _method, is_generated=True)
register_dataclass = Library(
    "register_dataclass",
    "jax",
    _DATACLASSES,
    _dataclass_like(
        "@jax.tree_util.register_dataclass\n@dataclasses.dataclass(frozen=True)",
        "NAME: TYPE = " + _STATIC,
    ),
)
flax_struct = Library(
    "flax.struct",
    "flax",
    f"{_DATACLASSES}from flax import struct\n",
    _dataclass_like("@struct.dataclass", "NAME: TYPE = struct.field(pytree_node=False)"),
    _method,
)
chex_dataclass = Library(
    "chex.dataclass",
    "chex",
    f"{_DATACLASSES}import chex\n",
    _dataclass_like("@chex.dataclass(frozen=True)", "NAME: TYPE"),
    _method,
    has_statics=False,
)
equinox = Library(
    "equinox.Module",
    "equinox",
    f"{_DATACLASSES}import equinox\n",
    _dataclass_like("", "NAME: TYPE = equinox.field(static=True)", "(equinox.Module)"),
)
jax_dataclasses = Library(
    "jax_dataclasses",
    "jax-dataclasses",
    f"{_DATACLASSES}import jax_dataclasses as jdc\n",
    _dataclass_like("@jdc.pytree_dataclass", "NAME: jdc.Static[TYPE]"),
)
penzai = Library(
    "penzai.struct",
    "penzai",
    f"{_DATACLASSES}from penzai.core import struct\n",
    _dataclass_like(
        "@struct.pytree_dataclass",
        'NAME: TYPE = dataclasses.field(metadata={"pytree_node": False})',
        "(struct.Struct)",
    ),
)
nnx = Library(
    "flax.nnx",
    "flax",
    "from flax import nnx\n",
    _module_like("nnx.Pytree"),
    _changed_in_place,
)

# A plain tuple has no class, no static field and no other checks, so it is a lower bound for all times.
named_tuple = Library(
    "named tuple",
    "jax",
    "import collections\n",
    _named_tuple,
    _tuple_replace,
    has_statics=False,
)

LIBRARIES = (
    generated,
    register_dataclass,
    flax_struct,
    chex_dataclass,
    equinox,
    jax_dataclasses,
    penzai,
    nnx,
)
