# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""Refuse mixins with which a class would not be what its schema says.

    check_mixins("Wave", Doubling)      # before the class: is it a mixin at all?

    class Wave(Doubling, Pytree): ...

    check_members(Wave)                 # behind it: do both define something?

A mixin stands before our own bases, so that its `__repr__` and its operators win. What the
generated code relies on would be hidden by it, or would hide it, without a word.
"""

import enum
from typing import Any, Final

_RENAME: Final = (
    "call it otherwise in the mixin; what is declared for type checkers alone stands "
    "under `if TYPE_CHECKING:`"
)
_FIELD: Final = "a field of the schema: let the mixin declare its type and no value"
# The special methods that have to be ours, by what to write. All others may come from a mixin.
_SPECIAL: Final = {
    "the constructor is generated: write `__check_init__(self)`, which it calls when all "
    "fields are set": "init new post_init",
    "objects are equal, and hashed, by what they hold: rename the method": "eq ne hash",
    "objects are copied and pickled by their fields: leave it out": (
        "copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex"
    ),
    "objects are frozen: leave it out": "setattr delattr",
    "it follows from the fields: leave it out": "match_args replace",
}
# Those that stand in the class itself, where a mixin may ask for them.
_IN_CLASS: Final = ("__init__", "__match_args__", "__setattr__", "__delattr__")
# The methods that are written into classes; all others are of their bases.
_MEMBERS: Final = frozenset(("Draft", "abstract", "draft", "replace"))
_HEAP_TYPE: Final = 1 << 9  # the flag of a class that a `class` statement has made


def check_mixins(name: str, *mixins: Any) -> None:
    """Refuse what brings no methods, and an order of bases in which there is no class."""
    for place, mixin in enumerate(mixins, 1):
        fault = _fault(mixin)
        if fault:
            raise _refused(name, mixin, fault)
        for other in mixins[place:]:
            # Not `issubclass`, which some classes answer by hand.
            if mixin in other.__mro__:
                derived = f"`{other.__qualname__}`, which stands behind it"
                raise _refused(name, mixin, f"{derived}, derives from it: leave it out")


def check_members(cls: Any) -> None:
    """Refuse mixins, inherited ones too, that define what a class has to define itself."""
    ours = [c for c in cls.__mro__ if c.__module__.startswith(f"{__package__}.")]
    inherited = {n for base in ours for n in vars(base) if not n.startswith("_")}
    defined: set[str] = {*cls.__dataclass_fields__} | (_MEMBERS & {*vars(cls)})
    for mixin in cls.__mro__:
        python = mixin.__module__ in ("abc", "builtins", "typing")
        if python or hasattr(mixin, "__codegen_key__"):
            continue
        # What to write, and the names that it is written for.
        clashes: dict[str, list[str]] = {}
        for name in vars(mixin):
            advice = _advice(mixin, name, defined, inherited)
            clashes.setdefault(advice, []).append(f"`{name}`")
        clashes.pop("", None)
        if clashes:
            shown = [f"{' and '.join(clashes[each])} ({each})" for each in clashes]
            fault = f"both define {'; and '.join(shown)}"
            raise _refused(cls.__qualname__, mixin, fault)


def _refused(name: str, mixin: Any, fault: str) -> TypeError:
    shown = getattr(mixin, "__qualname__", None) or repr(mixin)
    of = f" of `{mixin.__module__}`" if hasattr(mixin, "__module__") else ""
    return TypeError(f"`{name}` cannot have the mixin `{shown}`{of}: {fault}")


def _fault(mixin: Any) -> str:
    """Say why something is no mixin at all."""
    if not isinstance(mixin, type):
        return "it is no class"
    if isinstance(mixin, enum.EnumMeta):
        return "it is an enum, which is a field's type and no base: make it a field"
    if hasattr(mixin, "__codegen_key__"):
        return (
            "it is a generated class: derive from it in the schema, or make it a field"
        )
    if hasattr(mixin, "__dataclass_fields__"):
        return "it is a dataclass: take `@dataclass` off it, and declare its fields in the schema"
    for cls in mixin.__mro__[:-1]:
        if not cls.__flags__ & _HEAP_TYPE:
            is_named = hasattr(mixin, "_fields")
            what = "a named tuple" if is_named else f"a `{cls.__name__}`"
            return f"it is {what}, with values of its own: make it a field"
        slots = vars(cls).get("__slots__", ())
        own = {slots} if isinstance(slots, str) else {*slots}
        if own := own - {"__dict__", "__weakref__"}:
            named = ", ".join(f"`{slot}`" for slot in sorted(own))
            return f"it has the slots {named}: declare them as fields in the schema"
    return ""


def _advice(mixin: type[Any], name: str, defined: set[str], inherited: set[str]) -> str:
    """Say what to write where a mixin defines what the class has to; else nothing."""
    value = vars(mixin)[name]
    is_protocol = vars(mixin).get("_is_protocol", False)
    is_asked_for = is_protocol or getattr(value, "__isabstractmethod__", False)
    if is_asked_for and (name in defined or name in _IN_CLASS):
        return ""
    if name == "__hash__" and value is None and "__eq__" in vars(mixin):
        return ""  # Python puts it there
    for advice, names in _SPECIAL.items():
        if name in [f"__{each}__" for each in names.split()]:
            return advice
    if name in defined:
        is_method = callable(getattr(value, "__func__", value))
        return _RENAME if is_method else _FIELD
    return _RENAME if name in inherited else ""
