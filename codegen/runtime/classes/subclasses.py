"""Definitions that a mixin or a Python subclass of a generated class may not have.

class Mine(TransportModel):
    level: float = 2.0              # TypeError: ... adds the field `level`: declare it in the schema

class Mine(TransportModel):
    def replace(self): ...          # TypeError: ... both define `replace` (rename it; ...)
"""

import ast
import collections
import dataclasses
import enum
import inspect
import itertools
import re
import textwrap
from typing import Any, Final, NoReturn

from ..keys.annotations import own_annotations

_RENAME: Final = (
    "rename yours. If yours only declares a type, write it under `if TYPE_CHECKING:`"
)
_FIELD: Final = (
    "the schema declares this field: write only its type in the mixin. To change the "
    "default, change the schema"
)
# The special methods that must be the generated ones, by the advice for each. A mixin
# may define all others.
_SPECIAL: Final = {
    "the constructor is generated: write `__check_init__(self)` instead, which the "
    "constructor calls after all fields are set, or `init=False` in the class header in "
    "the schema": "init",
    "the constructor is generated: write `__check_init__(self)` instead, which the "
    "constructor calls after all fields are set": "new post_init",
    "the generated class compares and hashes all fields: remove yours, or write "
    "`eq=False` in the class header in the schema": "eq ne hash",
    "the generated class copies and pickles all fields: remove yours": (
        "copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex"
    ),
    "generated objects are frozen: remove yours": "setattr delattr",
    "the generated class defines it from its fields: remove yours": "match_args replace",
}
# The special methods that the class itself defines, so a mixin may require them.
_IN_CLASS: Final = ("__init__", "__match_args__", "__setattr__", "__delattr__")
# The methods that are generated into classes. All others are inherited from the base
# classes.
MEMBERS: Final = frozenset(("Draft", "abstract", "draft", "replace"))
CREATE: Final = "_codegen_create"
"""The constructor from all fields, in a class with `init=False`."""
_PYTHON: Final = ("abc", "builtins", "typing")
# The module prefix of the runtime's own base classes.
_PACKAGE: Final = __name__.removesuffix("classes.subclasses")
_HEAP_TYPE: Final = 1 << 9  # the flag of a class that a `class` statement has created
# Errors of reading the source if only bytecode is installed.
_OF_NO_SOURCE: Final = (OSError, TypeError)


def mixin_fault(mixin: object) -> str:
    """Return why a class cannot be a mixin; else an empty text."""
    if not isinstance(mixin, type):
        return "a mixin must be a class"
    if hasattr(mixin, "__codegen_key__"):
        return (
            "a generated class cannot be a mixin: derive from it in the schema, or use it "
            "as the type of a field"
        )
    if hasattr(mixin, "__dataclass_fields__"):
        return (
            "a dataclass cannot be a mixin: remove `@dataclass`, and declare its fields "
            "in the schema"
        )
    classes = mixin.__mro__[:-1]
    builtins = [cls.__name__ for cls in classes if not cls.__flags__ & _HEAP_TYPE]
    what = f"a `{builtins[0]}`" if builtins else ""
    if isinstance(mixin, enum.EnumMeta):
        what = "an enum"
    if what:
        return f"{what} cannot be a mixin: use it as the type of a field"
    return next(filter(None, map(slots_fault, classes)), "")


def slots_fault(cls: type[Any]) -> str:
    """Return an error text if a class has slots."""
    slots = vars(cls).get("__slots__", ())
    own = {slots} if isinstance(slots, str) else {*slots}
    if not (own := own - {"__dict__", "__weakref__"}):
        return ""
    named = ", ".join(f"`{slot}`" for slot in sorted(own))
    return f"it has the slots {named}: declare them as fields in the schema"


def is_checked_base(cls: object) -> bool:
    """Return whether a base is Python's own, or was checked when it was created."""
    return cls.__module__ in _PYTHON or hasattr(cls, "__codegen_key__")


def clash_with(cls: type[Any], other: type[Any]) -> str:
    """Return which generated member another class defines, too; else an empty text."""
    ours = [c for c in cls.__mro__ if c.__module__.startswith(_PACKAGE)]
    inherited = {n for base in ours for n in vars(base) if not n.startswith("_")}
    generated = [c for c in cls.__mro__ if "__dataclass_params__" in vars(c)]
    defined = {name for each in generated for name in vars(each)} & MEMBERS
    defined |= {*cls.__dataclass_fields__}
    left = {"__init__"} if hasattr(cls, CREATE) else set[str]()
    left |= (
        set() if "__eq__" in vars(generated[0]) else {"__eq__", "__ne__", "__hash__"}
    )
    names = (name for name in vars(other) if name not in left)
    pairs = ((name, _advice(other, name, defined, inherited)) for name in names)
    return "; and ".join(f"`{name}` ({advice})" for name, advice in pairs if advice)


def _advice(other: type[Any], name: str, defined: set[str], inherited: set[str]) -> str:
    value = vars(other)[name]
    is_protocol = vars(other).get("_is_protocol", False)
    is_asked_for = is_protocol or getattr(value, "__isabstractmethod__", False)
    if is_asked_for and (name in defined or name in _IN_CLASS):
        return ""
    if name == "__hash__" and value is None and "__eq__" in vars(other):
        return ""  # Python adds it.
    for advice, names in _SPECIAL.items():
        if name in [f"__{each}__" for each in names.split()]:
            return advice
    if name in defined:
        return _RENAME if callable(getattr(value, "__func__", value)) else _FIELD
    return _RENAME if name in inherited else ""


def class_error(cls: type[Any], fault: str) -> TypeError:
    """Return the error for creating a Python subclass."""
    base = next(one for one in cls.__mro__[1:] if "__codegen_record__" in vars(one))
    named = f"`{cls.__qualname__}` is a Python subclass of the generated class"
    return TypeError(f"{named} `{base.__qualname__}`, and {fault}")


def class_fault(cls: Any, bases: list[Any]) -> str:
    """Return the fault of a Python subclass: it adds fields, or hides generated
    members.
    """
    schema = f"declare it in the schema, as `class {cls.__name__}({bases[0].__name__})`"
    for base in bases:
        more = {*base.__dataclass_fields__} - {*bases[0].__dataclass_fields__}
        if more:
            first = f"`{base.__name__}` with the field `{min(more)}`"
            return f"has the base {first}: write this base first, or {schema}"
    for name, kind in own_annotations(cls).items():
        text = str(getattr(kind, "__forward_arg__", kind))
        if not re.match(r"[\w.]*\bClassVar\b", text):
            return (
                f"adds the field `{name}`: {schema}. A class constant needs `ClassVar`"
            )
    if fault := slots_fault(cls):
        return fault.replace("it has", "has", 1)
    home = next(one for one in cls.__mro__ if "__new__" in vars(one))
    is_called = home.__codegen_record__.abstract or not all(
        map(is_checked_base, home.__mro__)
    )
    if hasattr(cls, "__check_init__") and not is_called:
        return (
            "has a `__check_init__`, which is called only if a base is abstract or "
            "has mixins"
        )
    known = {*bases[0].__mro__, cls}
    mixins = [
        one for one in cls.__mro__ if one not in known and not is_checked_base(one)
    ]
    for other in (cls, *mixins):
        of = "" if other is cls else f"has the mixin `{other.__qualname__}`: "
        if of and (fault := mixin_fault(other)):
            return of + fault
        if fault := clash_with(bases[0], other):
            return f"{of}both define {fault}"
    return ""


class DataclassParameters:
    """The parameters of `@dataclass` for a class. `@dataclass` also reads them from
    base classes.
    """

    def __init__(self, parameters: object) -> None:
        self._parameters = parameters

    def __get__(self, _: object, owner: type[Any]) -> Any:
        for cls in type.__subclasses__(owner):
            if {"__codegen_record__", "__dataclass_params__"} <= {*vars(cls)}:
                parameters = vars(cls)["__dataclass_params__"]
                if not isinstance(parameters, DataclassParameters):
                    del cls.__dataclass_params__
                    fault = (
                        "is a dataclass: remove `@dataclass`, and declare its fields"
                    )
                    raise class_error(cls, f"{fault} in the schema")
        return self._parameters


class FieldMetadata(collections.UserDict[str, Any]):
    """A field's metadata: {"static": False, "role": "donated", "doc": "flow [m/s]"}.

    The documentation is below the field, where editors show it. Python does not keep
    it, so it is read from the source on access, as tyro does.
    """

    def __init__(self, cls: type[Any], name: str, role: str) -> None:
        super().__init__(static=role == "static", role=role, doc="")
        self.cls, self._name = cls, name

    def __getitem__(self, key: str) -> Any:
        if key != "doc":
            return self.data[key]
        try:
            source = textwrap.dedent(inspect.getsource(self.cls))
        except _OF_NO_SOURCE:
            return ""
        tree: Any = ast.parse(source).body[0]
        for field, below in itertools.pairwise(tree.body):
            is_field = isinstance(field, ast.AnnAssign)
            if is_field and ast.unparse(field.target) == self._name:
                is_doc = isinstance(below, ast.Expr)
                return " ".join(ast.literal_eval(below.value).split()) if is_doc else ""
        return ""

    def __repr__(self) -> str:
        return repr(dict(self))


def refuse_change(self: object, name: str, *value: object) -> NoReturn:
    """Refuse to assign to a field, or to delete one."""
    cls: type[Any] = type(self)
    record = cls.__codegen_record__
    done = "assign to" if value else "delete"
    text = f"cannot {done} field '{name}' of `{cls.__qualname__}`, which is frozen"
    if value and name in (*record.data_fields, *record.meta_fields):
        text += f": write `replace({name}=...)`, which returns a new object"
    if value and name in record.data_fields and hasattr(cls, "Draft"):
        text += ", or assign to a draft, which `draft()` creates"
    raise dataclasses.FrozenInstanceError(text)
