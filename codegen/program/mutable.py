"""Report mutable static types.

mutable_type_fault(<list[int]>, "the field `n`")    ->    Fault("the field `n` is static, but ...", ...)
"""

from __future__ import annotations

from codegen.program.nodes import EMPTY_CONTAINERS
from codegen.program.types import Mapping, Sequence, Type, Union
from codegen.schema.scope import Fault
from codegen.schema.vocabulary import TRACED


def mutable_type_fault(type: Type, what: str) -> Fault | None:
    """Return the fault of a list or a dict in a static place; None for any other type."""
    immutable = _immutable_counterpart(type)
    if not immutable or not isinstance(type, Sequence | Mapping):
        return None
    return Fault(
        f"{what} is static, but a `{_name(type)}` {'may be' if type.is_any else 'is'} mutable",
        "if the value changed, JAX would run a program compiled for the old value",
        f"write `{immutable}`",
    )


def default_help(type: Type | None, role: str, *, is_field: bool = False) -> str:
    """Return the advice for a default of type list or dict; empty for any other type.

    Example: "a list is mutable and cannot be a default: remove the default, or write
    `tuple[f32, ...]`". A frozendict is static, so a traced role has no other type for a dict. For a
    field in such a role, an empty list or dict is created for each object.
    """
    for member in type.members if isinstance(type, Union) else (type,):
        if member is None or not (immutable := _immutable_counterpart(member)):
            continue
        assert isinstance(member, Sequence | Mapping)
        if is_field and role != "static":
            literal = EMPTY_CONTAINERS[mutable_container(member)]
            other = 'for other values, write `field(factory="module:function")`'
            if isinstance(member, Sequence) and member.is_any:
                other = "for one with items, write a tuple, `(a, b)`"
            return f"write `{literal}`, which creates a new one for each object; {other}"
        if member.container == "dict" and role in TRACED:
            immutable = f"{member} | None = None"
        verb = "may be" if member.is_any else "is"
        return (
            f"a {_name(member)} {verb} mutable and cannot be a default: remove the default, or "
            f"write `{immutable}`"
        )
    return ""


def mutable_container(type: Sequence | Mapping) -> str:
    """Return the mutable container that is given; for any sequence, a list. Example: "list"."""
    return "list" if isinstance(type, Sequence) and type.is_any else type.container


def _name(type: Sequence | Mapping) -> str:
    return str(type).partition("[")[0]


def _immutable_counterpart(type: Type) -> str:
    """Return the immutable type for a list or a dict; empty for any other type."""
    match type:
        case Sequence(container="list") | Sequence(is_any=True):
            return f"tuple[{type.element}, ...]"
        case Mapping(container="dict"):
            return f"frozendict[{type.key}, {type.value}]"
        case _:
            return ""
