"""The description of a library that registers classes as pytrees.

A new library is one file in this folder, and a line in the table of `__init__.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from codegen.adopt.find.nodes import ClassRefusal, Decorator
from codegen.adopt.find.reasons import refusal


class DeclaredField(Struct, frozen=True):
    """A field as passed to a mechanism."""

    name: str
    annotation: ast.expr
    annotation_names: tuple[str, ...]
    """The absolute names around and in the annotation. Example: ("jax_dataclasses.Static",)"""
    call: Decorator | None
    """The call that is its value, if it calls a function for fields."""

    def has_option(self, option: str, value: object) -> bool:
        """Return whether the call has a literal option value, directly or in `metadata=`."""
        if self.call is None:
            return False
        return any(
            isinstance(one, ast.Constant) and one.value is value
            for one in (self.call.keywords.get(option), self._metadata(option))
        )

    def _metadata(self, option: str) -> ast.expr | None:
        metadata = self.call.keywords.get("metadata") if self.call else None
        return (dict_items(metadata) or {}).get(option)


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


def _is_never_static(_: DeclaredField, __: Decorator) -> bool:
    return False


def _refuse_nothing(_: ast.ClassDef, __: Decorator) -> tuple[ClassRefusal, ...]:
    return ()


class PytreeLibrary(Struct, frozen=True):
    """How a library registers a class as a pytree, and the consequences."""

    name: str
    """The name in reports. Example: "flax.struct"."""
    decorators: frozenset[str] = frozenset()
    """The absolute names of its decorators or registering functions."""
    bases: frozenset[str] = frozenset()
    """The absolute names of its bases. Subclasses of its classes are included."""
    fields: frozenset[str] = frozenset()
    """The functions that set options of a field, besides `dataclasses.field`."""
    is_static: Callable[[DeclaredField, Decorator], bool] = _is_never_static
    """Return whether a field is static, from its declaration and the decorator."""
    refuse: Callable[[ast.ClassDef, Decorator], tuple[ClassRefusal, ...]] = _refuse_nothing
    """Return why a schema cannot declare a class; `by_hand` if it never can."""
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
    adds: str = ""
    """A method that it adds, written with the methods of generated classes; mixins get it."""


def refuse_always(reason: str) -> Callable[..., tuple[ClassRefusal, ...]]:
    """Refuse every class of a mechanism, for one reason in the table."""

    def refuse(node: ast.ClassDef, _: Decorator) -> tuple[ClassRefusal, ...]:
        return (refusal(reason, node.lineno),)

    return refuse


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
