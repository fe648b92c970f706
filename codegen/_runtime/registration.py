# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Make generated classes known: to JAX as pytrees, to this package by their record.

    register_dataclass(
        Grid,
        data_fields=[],
        meta_fields=["nx", "ny"],
        flatten=_codegen_flatten_Grid,
        unflatten=_codegen_unflatten_Grid,
        key=_codegen_key_Grid,
    )

The module's own functions are the whole flattening, and its auxiliary data is the key
and nothing else: two classes, or two exact static values, never have equal treedefs.
`jax.tree_util.register_dataclass` alone has treedefs that ignore the class.
"""

import dataclasses
import functools
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NoReturn, TypeAlias

import jax

from .keys import Table, TraceKey
from .shapes import NOTHING, Shapes
from .sharing_plans import Path, plan_of

Children: TypeAlias = tuple[Any, ...]
Share: TypeAlias = tuple[tuple[str, ...], ...]
Split: TypeAlias = Callable[[Any, list[Any], list[Any]], Hashable]


@dataclasses.dataclass(eq=False)
class Record:
    """What is known of a generated class; on the class as `__codegen_record__`.

    A Python subclass inherits it, so `record.cls` tells whether it is the class's own.
    """

    cls: type[Any]
    data_fields: tuple[str, ...]
    meta_fields: tuple[str, ...]
    flatten: Callable[[Any], tuple[Children, TraceKey]]
    unflatten: Callable[[TraceKey, Any], Any]
    # From the class and its static values to its key, through every check.
    key: Callable[..., TraceKey]
    # Declared sharing, one row a part: the owner's path and those of the borrowers.
    shares: tuple[Share, ...]
    # From an object and the lists of donated and kept leaves to its structure.
    split: Split
    # What the schema says of the shapes, of nested objects' too.
    shapes: Shapes = dataclasses.field(default=NOTHING, repr=False)
    # Says quickly of an object that it is as declared; where it says no, look closer.
    fits: Callable[[Any], bool] | None = None
    # From the class, a maker and what the shapes leave open to an object.
    make: Callable[..., Any] | None = None
    # The interned keys of the class, weakly.
    table: Table = dataclasses.field(default_factory=dict, repr=False)
    # Where the class shares: what its objects have been found to, see sharing_plans.
    plans: dict[Any, Any] = dataclasses.field(default_factory=dict, repr=False)

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


def open_class(cls: type[Any]) -> Any:
    """Return a class with the slots of `cls`, whose objects take plain assignments.

    A frozen object is made by filling an open one and setting its `__class__` to `cls`:
    `object.__setattr__` takes four times as long. It is for a class that has no base but
    one of ours: both classes have to have the same base, and a base of somebody else
    would be told of this one, and list it among its subclasses.
    """
    base: Any = cls.__base__
    return type(f"_codegen_open_{cls.__name__}", (base,), {"__slots__": cls.__slots__})


def register_dataclass(
    cls: type[Any],
    *,
    data_fields: Sequence[str],
    meta_fields: Sequence[str],
    flatten: Callable[[Any], tuple[Children, TraceKey]],
    unflatten: Callable[[TraceKey, Any], Any],
    key: Callable[..., TraceKey],
    shares: Sequence[Share] = (),
    split: Split | None = None,
    shapes: Shapes = NOTHING,
    fits: Callable[[Any], bool] | None = None,
    make: Callable[..., Any] | None = None,
) -> None:
    """Register a class as a pytree of its data fields, with its key as the rest.

    Args:
        cls: a class with `__codegen_key__` on its objects
        data_fields: the names of the children, in the order of `flatten`
        meta_fields: the names of the static fields, in the order of `key`
        flatten: from an object to its children and key
        unflatten: from a key and children to an object, unchecked
        key: from the class and static values to the key, through every check
        shares: rows of the paths at which parts are shared, the owner's first
        split: appends the leaves of an object to the lists of donated and of kept
            ones, and returns its structure; not needed where there are no leaves
        shapes: the declared shapes of the fields
        fits: says quickly of an object that every array is as declared
        make: makes an object of what the shapes leave open
    """
    # Made when they are asked for first, since few classes are: it is slow.
    steps: list[Any] = []

    def flatten_with_keys(value: Any) -> tuple[tuple[tuple[Any, Any], ...], TraceKey]:
        if len(steps) < len(data_fields):
            steps[:] = map(jax.tree_util.GetAttrKey, data_fields)
        children, key = flatten(value)
        return tuple(zip(steps, children, strict=True)), key

    jax.tree_util.register_pytree_with_keys(cls, flatten_with_keys, unflatten, flatten)
    _record(
        cls,
        data_fields=data_fields,
        meta_fields=meta_fields,
        flatten=flatten,
        unflatten=unflatten,
        key=key,
        shares=shares,
        split=split,
        shapes=shapes,
        fits=fits,
        make=make,
    )


def adopt_dataclass(cls: type[Any], **known: Any) -> None:
    """Record a class that `jax.tree_util.register_dataclass` has registered.

    Its last dataclass field is its key, JAX's only metadata field. Afterwards it
    is none, so that `fields`, `asdict`, `replace` and `match` see declared ones alone.

    Args:
        cls: the class
        known: what `register_dataclass` takes
    """
    del cls.__dataclass_fields__["__codegen_key__"]
    names = tuple(name for name in cls.__match_args__ if name != "__codegen_key__")
    type.__setattr__(cls, "__match_args__", names)
    _record(cls, **known)


def _record(
    cls: type[Any],
    *,
    data_fields: Sequence[str],
    meta_fields: Sequence[str],
    shares: Sequence[Share] = (),
    split: Split | None = None,
    **known: Any,
) -> None:
    cls.__codegen_record__ = Record(
        cls,
        tuple(data_fields),
        tuple(meta_fields),
        shares=tuple(shares),
        split=split or _split_static,
        **known,
    )
    _explain_freezing(cls)


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


def _split_static(value: Any, donated: list[Any], kept: list[Any]) -> Hashable:
    key: TraceKey = value.__codegen_key__
    return key
