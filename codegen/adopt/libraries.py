"""The libraries that register classes as pytrees: one table, in which the first match counts.

LIBRARIES["flax.struct"].is_static("n", "builtins.int", <struct.field(pytree_node=False)>, decorator)
->    True
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from codegen.adopt.find.names import Decorator
from codegen.adopt.find.nodes import ClassRefusal
from codegen.adopt.find.reasons import refusal

ARRAYS = frozenset(
    (
        *("jax.Array", "jax.numpy.ndarray", "jax._src.basearray.Array", "jax.typing.ArrayLike"),
        *("numpy.ndarray", "jax.random.PRNGKeyArray", "chex.Array", "chex.ArrayDevice"),
        *("chex.ArrayNumpy", "chex.ArrayBatched", "chex.PRNGKey", "jaxtyping.Array"),
        *("jaxtyping.PRNGKeyArray", "jaxtyping.ArrayLike"),
    )
)
"""The names of array types."""
# The position without the class, which is the first argument of calls but not of decorators.
_META_POSITION = 1


def dict_items(metadata: ast.expr | None) -> dict[str, ast.expr] | None:
    """Return the items of a dict written as `{...}` or `dict(...)`; None if it is computed."""
    match metadata:
        case None:
            return {}
        case ast.Dict(keys=keys, values=values) if all(
            isinstance(key, ast.Constant) for key in keys
        ):
            return {
                str(key.value): value
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant)
            }
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords) if all(
            one.arg for one in keywords
        ):
            return {str(one.arg): one.value for one in keywords}
        case _:
            return None


class PytreeLibrary(Struct, frozen=True):
    """How a library registers a class as a pytree, and the consequences."""

    name: str
    """The name in reports. Example: "flax.struct"."""
    decorators: frozenset[str] = frozenset()
    """The absolute names of its decorators or registering functions."""
    bases: frozenset[str] = frozenset()
    """The absolute names of its bases. Subclasses of its classes are included."""
    field_functions: frozenset[str] = frozenset()
    """The functions that set options of a field, besides `dataclasses.field`."""
    static_functions: frozenset[str] = frozenset()
    """Those that make a field static."""
    static_option: tuple[str, bool] = ("", True)
    """The option of a field function, or in its `metadata=`, that makes a field static."""
    static_annotations: frozenset[str] = frozenset()
    has_roles_by_types: bool = False
    """Whether a field is static unless its annotation has `jax.Array`, or a class with such a field."""
    is_always_static: bool = False
    has_lists: bool = False
    """Whether its decorator can list fields: `data_fields`, `meta_fields`, `drop_fields`."""
    refused: str = ""
    """The reason why a schema can declare none of its classes."""
    options: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """The defaults of the decorator's options. Example: {"mappable_dataclass": True}"""
    is_frozen: bool = True
    """Whether objects are frozen by default."""
    sorts_leaves: bool = False
    """Whether the leaves are sorted by field name."""
    constructs_again: bool = False
    """Whether unflattening runs the constructor, including `__post_init__`."""
    has_own_treedef: bool = True
    """Whether treedefs of two such classes always differ."""
    interface: frozenset[str] = frozenset()
    """The methods that the library adds and that generated classes lack."""
    adds: tuple[str, ...] = ()
    """The methods that it adds, written with those of generated classes; mixins get them.

    `{base}` is the library's base of the class."""

    @property
    def fields(self) -> frozenset[str]:
        """Return all functions that set options of a field."""
        return self.field_functions | self.static_functions

    def is_static(
        self, name: str, type_name: str, call: Decorator | None, decorator: Decorator
    ) -> bool:
        """Return whether a field is static.

        `type_name` is the absolute name around its annotation, `call` the call of a function for
        fields that is its value, and `decorator` that of the class.
        """
        listed = listed_names(decorator, "meta_fields", _META_POSITION) if self.has_lists else None
        if listed is not None:
            return name in listed
        if self.is_always_static or type_name in self.static_annotations:
            return True
        option, value = self.static_option
        if call is None:
            return False
        metadata = dict_items(call.keywords.get("metadata")) or {}
        return call.name in self.static_functions or any(
            isinstance(one, ast.Constant) and one.value is value
            for one in (call.keywords.get(option), metadata.get(option))
        )

    def refuse(self, node: ast.ClassDef, decorator: Decorator) -> tuple[ClassRefusal, ...]:
        """Return why a schema cannot declare a class."""
        refusals = [refusal(self.refused, node.lineno)] if self.refused else []
        if self.has_lists and listed_names(decorator, "drop_fields", 2):
            refusals.append(refusal("drop_fields", node.lineno))
        for option, position in (("data_fields", 0), ("meta_fields", _META_POSITION)):
            is_given = option in decorator.keywords or len(decorator.arguments) > position
            is_listed = listed_names(decorator, option, position) is not None
            if self.has_lists and is_given and not is_listed:
                refusals.append(refusal("computed lists", node.lineno, option=option))
        return tuple(refusals)


def listed_names(call: Decorator, option: str, position: int) -> tuple[str, ...] | None:
    """Return the names that an argument lists; None if it is absent or not a list of literals."""
    value = call.keywords.get(option)
    if value is None and len(call.arguments) > position:
        value = call.arguments[position]
    if isinstance(value, ast.List | ast.Tuple):
        names = [one.value for one in value.elts if isinstance(one, ast.Constant)]
        if len(names) == len(value.elts):
            return tuple(str(name) for name in names)
    return None


def _within(modules: tuple[str, ...], *names: str) -> frozenset[str]:
    """Return names that several modules have."""
    return frozenset(f"{module}.{name}" for module in modules for name in names)


_JAX = ("jax.tree_util", "jax._src.tree_util")
_JDC = ("jax_dataclasses", "jax_dataclasses._dataclasses")
_PENZAI = ("penzai.pz", "penzai.core.struct")
# These flatten graphs of objects, or find their leaves by the values of attributes.
_FLATTENING_BASES = (
    _within(("flax.nnx",), "Module", "Pytree", "Object", "module.Module", "pytreelib.Pytree")
    | _within(
        ("distrax",), "Distribution", "Bijector", "Transformed", "_src.utils.jittable.Jittable"
    )
    | _within(
        ("numpyro.distributions",),
        *("Distribution", "TransformedDistribution", "distribution.Distribution"),
        *("transforms.Transform", "constraints.Constraint"),
    )
)

_TABLE = (
    PytreeLibrary(
        name="flattened by hand",
        decorators=_within(
            _JAX,
            *("register_pytree_node", "register_pytree_node_class"),
            *("register_pytree_with_keys", "register_pytree_with_keys_class"),
        ),
        bases=_FLATTENING_BASES,
        refused="own flatten",
    ),
    PytreeLibrary(
        name="mjx",
        bases=frozenset(("mujoco.mjx._src.dataclasses.PyTreeNode",)),
        has_roles_by_types=True,
        constructs_again=True,
        adds=("fields = classmethod({base}.fields.__func__)", "tree_replace = {base}.tree_replace"),
    ),
    PytreeLibrary(
        name="subclass of mjx",
        bases=_within(("mujoco.mjx",), "Model", "Data", "Contact", "Option", "Statistic"),
        refused="roles by types",
    ),
    PytreeLibrary(
        name="flax.struct",
        decorators=frozenset(("flax.struct.dataclass",)),
        bases=frozenset(("flax.struct.PyTreeNode",)),
        field_functions=frozenset(("flax.struct.field",)),
        static_option=("pytree_node", False),
        constructs_again=True,
        has_own_treedef=False,
    ),
    # The constructor is keyword-only, except with `mappable_dataclass=False`.
    PytreeLibrary(
        name="chex",
        decorators=frozenset(("chex.dataclass", "chex._src.dataclass.dataclass")),
        options={"mappable_dataclass": True},
        is_frozen=False,
        sorts_leaves=True,
        constructs_again=True,
        interface=frozenset(
            (
                *("__iter__", "__getitem__", "__len__", "__contains__"),
                *("keys", "values", "items", "get", "to_tuple", "from_tuple"),
            )
        ),
    ),
    PytreeLibrary(
        name="jax_dataclasses",
        decorators=_within(_JDC, "pytree_dataclass"),
        field_functions=frozenset(("jax_dataclasses.field",)),
        static_functions=_within(_JDC, "static_field"),
        static_annotations=_within(_JDC, "Static"),
        constructs_again=True,
    ),
    PytreeLibrary(
        name="penzai.struct",
        decorators=_within(_PENZAI, "pytree_dataclass"),
        bases=_within(_PENZAI, "Struct"),
        static_option=("pytree_node", False),
        interface=frozenset(("select",)),
    ),
    PytreeLibrary(
        name="jax_md",
        decorators=frozenset(("jax_md.dataclasses.dataclass",)),
        field_functions=frozenset(("jax_md.dataclasses.field",)),
        static_option=("static", True),
        static_functions=frozenset(("jax_md.dataclasses.static_field",)),
        constructs_again=True,
        has_own_treedef=False,
        adds=("def set(self, **changes):\n    return self.replace(**changes)\n",),
    ),
    PytreeLibrary(
        name="register_dataclass",
        decorators=_within((*_JAX, "jax.tree"), "register_dataclass"),
        static_option=("static", True),
        static_functions=_within((*_JAX, "jax.tree"), "static"),
        has_lists=True,
        is_frozen=False,
        constructs_again=True,
        has_own_treedef=False,
    ),
    PytreeLibrary(
        name="register_static",
        decorators=_within(_JAX, "register_static"),
        is_always_static=True,
        is_frozen=False,
    ),
    PytreeLibrary(
        name="StaticDataclass",
        bases=frozenset(("torax._src.static_dataclass.StaticDataclass",)),
        is_always_static=True,
    ),
    PytreeLibrary(
        name="simple_pytree",
        bases=frozenset(("simple_pytree.Pytree", "simple_pytree.pytree.Pytree")),
        field_functions=_within(("simple_pytree", "simple_pytree.dataclass"), "field"),
        static_option=("static", True),
        static_functions=_within(("simple_pytree", "simple_pytree.dataclass"), "static_field"),
    ),
    PytreeLibrary(
        name="equinox",
        bases=_within(
            ("equinox", "equinox._module", "equinox._module._module", "equinox._better_abstract"),
            "Module",
        ),
        field_functions=_within(("equinox", "equinox._module._field"), "field"),
        static_option=("static", True),
        static_functions=_within(("equinox", "equinox._module._field"), "static_field"),
    ),
    PytreeLibrary(
        name="NamedTuple",
        bases=frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple")),
        constructs_again=True,
        interface=frozenset(
            (
                *("__iter__", "__getitem__", "__len__", "__contains__", "__reversed__"),
                *("__add__", "__radd__", "__mul__", "__rmul__", "count", "index"),
                *("__eq__", "__ne__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__"),
                *("_replace", "_asdict", "_make"),
            )
        ),
    ),
    # Functions and classes of the package whose own code registers pytrees: `find/classes.py`.
    PytreeLibrary(name="own decorator or base", refused="own registration"),
    # Plain frozen dataclasses that a jitted function takes as static arguments.
    PytreeLibrary(name="static argument", is_always_static=True),
)
LIBRARIES: Final[dict[str, PytreeLibrary]] = {one.name: one for one in _TABLE}
REGISTERING: Final = {
    name: not library.refused for library in _TABLE for name in library.decorators
}
"""The functions that register a class; true if a schema can declare such classes."""
