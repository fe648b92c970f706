"""jax: `register_dataclass` (decorator, call), `metadata={"static": True}`, `jax.tree.static()`."""

import ast

from codegen.adopt.find.nodes import ClassRefusal, Decorator
from codegen.adopt.find.reasons import refusal
from codegen.adopt.libraries.library import DeclaredField, PytreeLibrary, listed_names

_STATIC = ("jax.tree.static", "jax.tree_util.static", "jax._src.tree_util.static")
# The position without the class, which is the first argument of calls but not of decorators.
_META_POSITION = 1


def _is_static(declared: DeclaredField, decorator: Decorator) -> bool:
    listed_ones = listed_names(decorator, "meta_fields", _META_POSITION)
    if listed_ones is not None:
        return declared.name in listed_ones
    return declared.has_option("static", True) or (
        declared.call is not None and declared.call.name in _STATIC
    )


def _refuse(node: ast.ClassDef, decorator: Decorator) -> tuple[ClassRefusal, ...]:
    refusals: list[ClassRefusal] = []
    if listed_names(decorator, "drop_fields", 2):
        refusals.append(refusal("drop_fields", node.lineno))
    for option, position in (("data_fields", 0), ("meta_fields", _META_POSITION)):
        is_given = option in decorator.keywords or len(decorator.arguments) > position
        if is_given and listed_names(decorator, option, position) is None:
            refusals.append(refusal("computed lists", node.lineno, option=option))
    return tuple(refusals)


LIBRARY = PytreeLibrary(
    name="register_dataclass",
    decorators=frozenset(
        (
            "jax.tree_util.register_dataclass",
            "jax._src.tree_util.register_dataclass",
            "jax.tree.register_dataclass",
        )
    ),
    fields=frozenset(_STATIC),
    is_static=_is_static,
    refuse=_refuse,
    constructs_again=True,
    has_own_treedef=False,
    is_frozen=False,
)
