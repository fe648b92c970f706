# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Make generated classes known: to JAX as pytrees, to this package by their record.

    register_dataclass(
        Grid,
        data_fields=[],
        meta_fields=["nx", "ny"],
        flatten=_codegen_flatten_Grid,
        fill=_codegen_fill_Grid,
        key=_codegen_key_Grid,
    )

The module's own functions are the whole flattening, and its auxiliary data is the key
and nothing else: two classes, or two exact static values, never have equal treedefs.
`jax.tree_util.register_dataclass` alone has treedefs that ignore the class.

What a class needs later is found in its record, never under a name of its module: such
a name stands for something else once the module was reloaded.
"""

import dataclasses
import functools
import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NoReturn, Required, TypeAlias, TypedDict, Unpack

import jax

from ..keys.construct import MISSING
from ..keys.interning import Table, TraceKey
from ..keys.reloading import keep_from_autoreload
from ..shapes.declared import NOTHING, Shapes
from ..sharing.plans import Path, plan_of

Children: TypeAlias = tuple[Any, ...]
Share: TypeAlias = tuple[tuple[str, ...], ...]
Split: TypeAlias = Callable[[Any, list[Any], list[Any]], Hashable]


def _split_static(value: Any, donated: list[Any], kept: list[Any]) -> Hashable:
    key: TraceKey = value.__codegen_key__
    return key


class Known(TypedDict, total=False):
    """What a generated module says of a class; `Record` says what each is."""

    data_fields: Required[Sequence[str]]
    meta_fields: Required[Sequence[str]]
    flatten: Required[Callable[[Any], tuple[Children, TraceKey]]]
    fill: Required[Callable[[Any, TraceKey, Any], None]]
    key: Required[Callable[..., TraceKey]]
    twin: type[Any]
    shares: Sequence[Share]
    relink: Callable[[Any], None]
    split: Split
    shapes: Shapes
    fits: Callable[[Any], bool]
    make: Callable[..., Any]
    was: Mapping[str, str]
    converted: Sequence[str]
    donated_fields: Sequence[str]
    docs: Mapping[str, str]


@dataclasses.dataclass(eq=False)
class Record:
    """What is known of a generated class; on the class as `__codegen_record__`.

    A Python subclass inherits it, so `record.cls` tells whether it is the class's own.
    """

    cls: type[Any]
    # The names of the children, in the order of `flatten`; of the static fields, in that
    # of `key`.
    data_fields: Sequence[str]
    meta_fields: Sequence[str]
    # From an object to its children and key.
    flatten: Callable[[Any], tuple[Children, TraceKey]]
    # Stores the fields in a new object, unchecked, and freezes it.
    fill: Callable[[Any, TraceKey, Any], None]
    # From the class and its static values to its key, through every check.
    key: Callable[..., TraceKey]
    # The class of its objects while they are filled; None: its own, see `open_class`.
    twin: type[Any] | None = None
    # Declared sharing, one row a part: the owner's path and those of the borrowers.
    shares: Sequence[Share] = ()
    # What fills the holes of a new object.
    relink: Callable[[Any], None] | None = None
    # From an object and the lists of donated and kept leaves to its structure.
    split: Split = _split_static
    # What the schema says of the shapes, of nested objects' too.
    shapes: Shapes = dataclasses.field(default=NOTHING, repr=False)
    # Says quickly of an object that it is as declared; where it says no, look closer.
    fits: Callable[[Any], bool] | None = None
    # From the class, a maker and what the shapes leave open to an object.
    make: Callable[..., Any] | None = None
    # What fields were called before, and what they are called now.
    was: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # The fields that the author of the schema converts.
    converted: Sequence[str] = ()
    # What `dataclasses.fields` says of them.
    donated_fields: Sequence[str] = ()
    docs: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # The interned keys of the class, weakly.
    table: Table = dataclasses.field(default_factory=dict, repr=False)
    # Where the class shares: what its objects have been found to, see sharing_plans.
    plans: dict[Any, Any] = dataclasses.field(default_factory=dict, repr=False)
    # From a key and children to an object, unchecked.
    unflatten: Callable[[TraceKey, Any], Any] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.data_fields = tuple(self.data_fields)
        self.meta_fields = tuple(self.meta_fields)
        self.unflatten = _unflattener(self.twin or self.cls, self.fill, self.relink)

    def holes(self, obj: Any) -> tuple[tuple[Path, Path], ...]:
        """Return where an object has holes when it is flattened, each with its owner."""
        return plan_of(obj).holes if self.shares else ()

    @functools.cached_property
    def package(self) -> str:
        """The package that the class was generated into, with a dot behind it.

        It is where the class's copy of this file stands.
        """
        return type(self).__module__.rpartition("_runtime.")[0]

    @functools.cached_property
    def name(self) -> str:
        """The module and name of the class, as its schema has them."""
        return f"{self.cls.__module__}.{self.cls.__name__}".removeprefix(self.package)

    @functools.cached_property
    def slots(self) -> tuple[tuple[str, Any, Any], ...]:
        """Each of the slots, the key's too: its name, what sets and what gets it."""
        names = (*self.data_fields, *self.meta_fields, "__codegen_key__")
        found = ((name, getattr(self.cls, name)) for name in names)
        return tuple((name, slot.__set__, slot.__get__) for name, slot in found)


def _unflattener(
    made: type[Any],
    fill: Callable[[Any, TraceKey, Any], None],
    relink: Callable[[Any], None] | None,
) -> Callable[[TraceKey, Any], Any]:
    new = object.__new__

    def unflatten(key: TraceKey, children: Children) -> Any:
        obj = new(made)
        fill(obj, key, children)
        return obj

    def unflatten_shared(key: TraceKey, children: Children) -> Any:
        obj = new(made)
        fill(obj, key, children)
        relink(obj)  # type: ignore[misc]
        return obj

    return unflatten if relink is None else unflatten_shared


def open_class(cls: type[Any]) -> Any:
    """Return a class with the slots of `cls`, whose objects take plain assignments.

    A frozen object is made by filling an open one and setting its `__class__` to `cls`:
    `object.__setattr__` takes four times as long. It is for a class that has no base but
    one of ours: both classes have to have the same base, and a base of somebody else
    would be told of this one, and list it among its subclasses.
    """
    base: Any = cls.__base__
    return type(f"_codegen_open_{cls.__name__}", (base,), {"__slots__": cls.__slots__})


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


def _record(cls: type[Any], **known: Unpack[Known]) -> Record:
    record = cls.__codegen_record__ = Record(cls, **known)
    keep_from_autoreload(cls.__module__)
    _describe_fields(cls)
    _explain_freezing(cls)
    cls.__replace__ = _replace
    return record


def _describe_fields(cls: Any) -> None:
    """Tell `dataclasses.fields` of defaults and roles.

    In the body of a class with slots a default cannot stand, nor a `field(...)`.
    """
    record: Record = cls.__codegen_record__
    defaults = _defaults(cls.__init__)
    for name, field in cls.__dataclass_fields__.items():
        if field.metadata:
            continue  # It was inherited, and so described before.
        role = "dynamic" if name in record.data_fields else "static"
        role = "donated" if name in record.donated_fields else role
        known = {
            "static": role == "static",
            "role": role,
            "doc": record.docs.get(name, ""),
        }
        field.metadata = types.MappingProxyType(known)
        field.default = defaults.get(name, dataclasses.MISSING)


def _defaults(init: Any) -> dict[str, Any]:
    """Return the declared defaults of a constructor's parameters."""
    code = init.__code__
    positional = code.co_varnames[: code.co_argcount]
    given = init.__defaults__ or ()
    found = dict(zip(positional[len(positional) - len(given) :], given, strict=True))
    found |= init.__kwdefaults__ or {}
    return {name: value for name, value in found.items() if value is not MISSING}


def _replace(self: Any, /, **changes: Any) -> Any:
    """Stand in for the `__replace__` of dataclasses, which `copy.replace` calls.

    That one calls the constructor, which would convert anew what is only kept.
    """
    return getattr(self, "replace", type(self))(**changes)


def _explain_freezing(cls: Any) -> None:
    """Replace methods of `dataclasses` whose errors name neither class nor way out."""
    cls.__setattr__, cls.__delattr__ = _refuse_assignment, _refuse_deletion


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
