# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Refuse mixins with which a class would not be what its schema says.

    check_mixins("Wave", Doubling)      # before the class: is it a mixin at all?

    class Wave(Doubling, Pytree): ...

    check_members(Wave)                 # behind it: do both define something?

A mixin stands before our own bases, so that its `__repr__` and its operators win. What the
generated code relies on would be hidden by it, or would hide it, without a word.
"""

import enum
from collections.abc import Iterator, Sequence
from typing import Any, Final

from .classes.bases import Keyed

_RENAME: Final = (
    "call it otherwise in the mixin; what is declared for type checkers alone stands "
    "under `if TYPE_CHECKING:`"
)
_FIELD: Final = "a field of the schema: let the mixin declare its type and no value"
_CONSTRUCTOR: Final = (
    "the constructor is generated: write `__check_init__(self)`, which it calls when all "
    "fields are set"
)
_EQUALITY: Final = (
    "objects are equal, and hashed, by what they hold: give the method another name"
)
_COPIES: Final = "objects are copied and pickled by their fields: leave it out"
_FROZEN: Final = "objects are frozen: leave it out"
_DATACLASS: Final = "it follows from the fields: leave it out"
# The special methods that have to be ours. All others may come from a mixin.
_SPECIAL: Final = {
    **dict.fromkeys(("__init__", "__new__", "__post_init__"), _CONSTRUCTOR),
    **dict.fromkeys(("__eq__", "__ne__", "__hash__"), _EQUALITY),
    **dict.fromkeys(("__setattr__", "__delattr__"), _FROZEN),
    **dict.fromkeys(("__match_args__", "__replace__"), _DATACLASS),
    **dict.fromkeys(
        ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"), _COPIES
    ),
    **dict.fromkeys(("__getstate__", "__setstate__"), _COPIES),
    **dict.fromkeys(("__getnewargs__", "__getnewargs_ex__"), _COPIES),
}
# Those that stand in the class itself, where a mixin may ask for them.
_IN_CLASS: Final = ("__init__", "__match_args__", "__setattr__", "__delattr__")
# The methods that a generated class may have, beside those of its bases.
_MEMBERS: Final = frozenset(
    ("Draft", "abstract", "draft", "from_process_local", "init", "replace", "zeros")
)
_HEAP_TYPE: Final = 1 << 9  # the flag of a class that a `class` statement has made


def check_mixins(name: str, *mixins: Any) -> None:
    """Refuse what brings no methods, with which there would be no class.

    Args:
        name: that of the class
        mixins: in the order of its bases

    Raises:
        TypeError: names the class, the mixin and what to write
    """
    for place, mixin in enumerate(mixins, 1):
        fault = _kind(mixin) or _order(mixin, mixins[place:])
        if fault:
            raise TypeError(f"{_both(name, mixin)}: {fault}")


def check_members(cls: Any) -> None:
    """Refuse mixins, inherited ones too, that define what a class has to define itself.

    Raises:
        TypeError: names the class, the mixin, what both define and what to write
    """
    ours = [base for base in cls.__mro__ if base.__module__ == Keyed.__module__]
    inherited = {n for base in ours for n in vars(base) if not n.startswith("_")}
    defined: set[str] = {*cls.__dataclass_fields__} | (_MEMBERS & {*vars(cls)})
    for mixin in filter(_is_foreign, cls.__mro__):
        clashes = {
            name: _advice(mixin, name, defined, inherited) for name in vars(mixin)
        }
        clashes = {name: advice for name, advice in clashes.items() if advice}
        if clashes:
            shown = "; and ".join(_by_advice(clashes))
            raise TypeError(f"{_both(cls.__qualname__, mixin)}: both define {shown}")


def _both(name: str, mixin: Any) -> str:
    shown = getattr(mixin, "__qualname__", None) or repr(mixin)
    module = getattr(mixin, "__module__", None)
    return f"`{name}` cannot have the mixin `{shown}`" + (
        f" of `{module}`" if module else ""
    )


def _kind(mixin: Any) -> str:
    """Say why something is no mixin at all."""
    if not isinstance(mixin, type):
        return "it is no class"
    if isinstance(mixin, enum.EnumMeta):
        return "it is an enum, which is a field's type and no base: make it a field"
    if hasattr(mixin, "__codegen_key__"):
        return (
            "it is a generated class: derive from one in the schema, or make it a field"
        )
    if hasattr(mixin, "__dataclass_fields__"):
        return "it is a dataclass: take `@dataclass` off it, and declare its fields in the schema"
    for cls in mixin.__mro__[:-1]:
        if not cls.__flags__ & _HEAP_TYPE:
            what = (
                "a named tuple" if hasattr(mixin, "_fields") else f"a `{cls.__name__}`"
            )
            return f"it is {what}, with values of its own: make it a field"
        slots = {*_slots(cls)} - {"__dict__", "__weakref__"}
        if slots:
            named = ", ".join(f"`{slot}`" for slot in sorted(slots))
            return f"it has the slots {named}: declare them as fields in the schema"
    return ""


def _slots(cls: type[Any]) -> tuple[str, ...]:
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _order(mixin: Any, later: Sequence[Any]) -> str:
    """Say where Python would find no order for a class and its bases."""
    for other in later:
        if (
            mixin in other.__mro__
        ):  # not `issubclass`, which some classes answer by hand
            shown = other.__qualname__
            return f"`{shown}`, which stands behind it, derives from it: leave it out"
    return ""


def _is_foreign(cls: type[Any]) -> bool:
    """Tell whether a class is neither ours nor Python's own."""
    return not hasattr(cls, "__codegen_key__") and cls.__module__ not in (
        *("abc", "builtins", "typing"),
    )


def _advice(mixin: type[Any], name: str, defined: set[str], inherited: set[str]) -> str:
    """Say what to write where a mixin defines what the class has to; else nothing."""
    value = vars(mixin)[name]
    if name in defined or name in _IN_CLASS:
        is_asked_for = getattr(value, "__isabstractmethod__", False)
        if is_asked_for or vars(mixin).get("_is_protocol", False):
            return ""
    if name == "__hash__" and value is None and "__eq__" in vars(mixin):
        return ""  # Python puts it there
    if name in _SPECIAL:
        return _SPECIAL[name]
    if name in defined:
        is_method = callable(getattr(value, "__func__", value))
        return _RENAME if is_method else _FIELD
    return _RENAME if name in inherited else ""


def _by_advice(clashes: dict[str, str]) -> Iterator[str]:
    for advice in dict.fromkeys(clashes.values()):
        named = [f"`{member}`" for member, its in clashes.items() if its == advice]
        yield f"{' and '.join(named)} ({advice})"
