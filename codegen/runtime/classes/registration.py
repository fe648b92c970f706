# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Make generated classes known: to JAX as pytrees, to this package by their record.

    register_dataclass(Grid, schema="heat.Grid", meta_fields=["nx", "ny"], key=..., ...)

The module's own functions are the whole flattening, and its auxiliary data is the key
and nothing else: two classes, or two exact static values, never have equal treedefs.
`jax.tree_util.register_dataclass` alone has treedefs that ignore the class.

What a class needs later is found in its record, never under a name of its module: such
a name stands for something else once the module was reloaded.
"""

import ast
import dataclasses
import functools
import inspect
import itertools
import textwrap
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn, Required, TypeAlias, TypedDict, Unpack

import jax

from ..keys.conversion import MISSING
from ..keys.interning import Table, TraceKey
from ..keys.names import keep_from_autoreload
from ..shapes.declared import NOTHING, Shapes

Children: TypeAlias = tuple[Any, ...]
Share: TypeAlias = tuple[tuple[str, ...], ...]
Split: TypeAlias = Callable[[Any, list[Any], list[Any]], Hashable]


def _flatten_static(value: Any) -> tuple[Children, TraceKey]:
    return (), value.__codegen_key__


def unflatten(key: TraceKey, children: Children) -> Any:
    """Make an object of a class whose bases are not ours alone, unchecked.

    It is frozen for everybody else, so that each slot is set by its own descriptor.
    """
    obj = object.__new__(key.cls)
    slots = key.cls.__codegen_record__.slots
    for (_, put, _), value in zip(slots, (*children, *key.values, key), strict=True):
        put(obj, value)
    return obj


class Known(TypedDict, total=False):
    """What a generated module says of a class; `Record` says what each is."""

    schema: Required[str]
    data_fields: Required[Sequence[str]]
    meta_fields: Required[Sequence[str]]
    key: Required[Callable[..., TraceKey]]
    flatten: Callable[[Any], tuple[Children, TraceKey]]
    unflatten: Callable[[TraceKey, Any], Any]
    split: Split
    shares: Sequence[Share]
    donated_fields: Sequence[str]
    shapes: Shapes
    was: Mapping[str, str]
    converted: Mapping[str, str]


@dataclasses.dataclass(eq=False)
class Record:
    """What is known of a generated class; on the class as `__codegen_record__`.

    A Python subclass inherits it, so `record.cls` tells whether it is the class's own.
    """

    cls: type[Any]
    # The module and name of the class, as its schema has them. Example: "heat.Grid"
    schema: str
    # The names of the children, in the order of `flatten`; of the static fields, in that
    # of `key`.
    data_fields: Sequence[str]
    meta_fields: Sequence[str]
    # From the class and its static values to its key, through every check.
    key: Callable[..., TraceKey]
    # From an object to its children and key, and back, unchecked.
    flatten: Callable[[Any], tuple[Children, TraceKey]] = _flatten_static
    unflatten: Callable[[TraceKey, Any], Any] = unflatten
    # From an object and the lists of donated and kept leaves to its structure; None: no
    # function of the schemas takes one, see `split.py`.
    split: Split = None  # type: ignore[assignment]
    # Declared sharing, one row a part: the owner's path and those of the borrowers.
    shares: Sequence[Share] = ()
    donated_fields: Sequence[str] = ()
    # What the schema says of the shapes, of nested objects' too.
    shapes: Shapes = dataclasses.field(default=NOTHING, repr=False)
    # What fields were called before, and what they are called now.
    was: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # The functions that convert what a field is given. Example: {"power": "units:watts"}
    converted: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # The declared defaults of the constructor's parameters.
    defaults: Mapping[str, Any] = dataclasses.field(init=False, repr=False)
    # Where the class shares: what its objects have been found to, see `sharing/plans.py`.
    plans: dict[Any, Any] = dataclasses.field(default_factory=dict, repr=False)
    # The interned keys of the class, weakly.
    table: Table = dataclasses.field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.data_fields = tuple(self.data_fields)
        self.meta_fields = tuple(self.meta_fields)
        self.defaults = _defaults(self.cls.__new__)

    @staticmethod
    def holes(_obj: Any) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """Return where an object has holes when it is flattened, each with its owner.

        What shares has imported `sharing`, which puts the answer here.
        """
        return ()

    @functools.cached_property
    def package(self) -> str:
        """The package that the class was generated into, with a dot behind it."""
        return f"{self.cls.__module__}.{self.cls.__name__}".removesuffix(self.schema)

    @functools.cached_property
    def slots(self) -> tuple[tuple[str, Any, Any], ...]:
        """Each of the slots, the key's too: its name, what sets and what gets it."""
        names = (*self.data_fields, *self.meta_fields, "__codegen_key__")
        found = ((name, getattr(self.cls, name)) for name in names)
        return tuple((name, slot.__set__, slot.__get__) for name, slot in found)


def register_dataclass(cls: type[Any], **known: Unpack[Known]) -> None:
    """Register a class as a pytree of its data fields, with its key as the rest.

    Args:
        cls: a class with `__codegen_key__` on its objects
        known: what its module says of it
    """
    record = _record(cls, **known)
    # Made when they are asked for first, since few classes are: it is slow.
    steps: list[Any] = []

    def flatten_with_keys(value: Any) -> tuple[tuple[tuple[Any, Any], ...], TraceKey]:
        if len(steps) < len(record.data_fields):
            steps[:] = map(jax.tree_util.GetAttrKey, record.data_fields)
        children, key = record.flatten(value)
        return tuple(zip(steps, children, strict=True)), key

    jax.tree_util.register_pytree_with_keys(
        cls, flatten_with_keys, record.unflatten, record.flatten
    )


def adopt_dataclass(cls: type[Any], **known: Unpack[Known]) -> None:
    """Record a class that `jax.tree_util.register_dataclass` has registered.

    Its last dataclass field is its key, JAX's only metadata field. Afterwards it
    is none, so that `fields`, `asdict`, `replace` and `match` see declared ones alone.
    """
    del cls.__dataclass_fields__["__codegen_key__"]
    names = tuple(name for name in cls.__match_args__ if name != "__codegen_key__")
    type.__setattr__(cls, "__match_args__", names)
    _record(cls, **known)


def _record(cls: Any, **known: Unpack[Known]) -> Record:
    record = cls.__codegen_record__ = Record(cls, **known)
    keep_from_autoreload(cls.__module__)
    _describe_fields(record)
    # The errors of those of `dataclasses` name neither class nor way out.
    cls.__setattr__, cls.__delattr__ = _refuse_assignment, _refuse_deletion
    cls.__replace__ = _replace
    if cls.__init__ is not object.__init__:
        # That of a protocol, which would hand on what the constructor was given.
        cls.__init__ = object.__init__
    return record


def _describe_fields(record: Record) -> None:
    """Tell `dataclasses.fields` of defaults and roles.

    In the body of a class with slots a default cannot stand, nor a `field(...)`.
    """
    for name, field in record.cls.__dataclass_fields__.items():
        if field.metadata:
            continue  # It was inherited, and so described before.
        role = "dynamic" if name in record.data_fields else "static"
        role = "donated" if name in record.donated_fields else role
        field.metadata = Description(record.cls, name, role)
        field.default = record.defaults.get(name, dataclasses.MISSING)


def _defaults(constructor: Any) -> dict[str, Any]:
    parameters = inspect.signature(constructor).parameters
    found = {name: parameter.default for name, parameter in parameters.items()}
    none = (inspect.Parameter.empty, MISSING)
    # By identity: `==` of arrays is an array.
    return {n: value for n, value in found.items() if not any(value is x for x in none)}


# What asking for the source raises where only bytecode was installed.
_OF_NO_SOURCE: Final = (OSError, TypeError)


class Description(Mapping[str, Any]):
    """The metadata of a field: {"static": False, "role": "donated", "doc": "flow [m/s]"}.

    The documentation stands once, below the field, where editors show it. Python does not
    keep it, so that it is read from the source when it is asked for, as tyro does.
    """

    def __init__(self, cls: type[Any], name: str, role: str) -> None:
        """Describe a field of a class."""
        self._field = cls, name
        self._known = {"static": role == "static", "role": role}

    def __getitem__(self, key: str) -> Any:
        return _documentation(*self._field) if key == "doc" else self._known[key]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._known, "doc"))

    def __len__(self) -> int:
        return len(self._known) + 1

    def __repr__(self) -> str:
        return repr(dict(self))


def _documentation(cls: type[Any], name: str) -> str:
    """Return what the source of a class says below a field, behind its role."""
    try:
        source = textwrap.dedent(inspect.getsource(cls))
    except _OF_NO_SOURCE:
        return ""  # It has no source any more, as where only bytecode was installed.
    body = getattr(ast.parse(source).body[0], "body", [])
    for field, below in itertools.pairwise(body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=found)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ) if found == name:
                return " ".join(text.partition(":")[2].split())
            case _:
                pass
    return ""


def _replace(self: Any, /, **changes: Any) -> Any:
    """Stand in for the `__replace__` of dataclasses, which `copy.replace` calls.

    That one calls the constructor, which would convert anew what is only kept.
    """
    return getattr(self, "replace", type(self))(**changes)


def _refuse_assignment(self: Any, name: str, value: object) -> NoReturn:
    cls: Any = type(self)
    text = f"cannot assign to field '{name}' of `{cls.__qualname__}`, which is frozen"
    record: Record = cls.__codegen_record__
    if name in (*record.data_fields, *record.meta_fields):
        text += f": write `replace({name}=...)`, which returns another object"
    if name in record.data_fields and hasattr(cls, "Draft"):
        text += ", or assign to a draft, as `draft()` makes it"
    raise dataclasses.FrozenInstanceError(text)


def _refuse_deletion(self: Any, name: str) -> NoReturn:
    cls = type(self).__qualname__
    text = f"cannot delete field '{name}' of `{cls}`, which is frozen"
    raise dataclasses.FrozenInstanceError(text)
