"""Drafts: typed mutable copies of generated objects, for one trace.

    draft = plate.draft()
    draft.t += dt                       # converts, as the constructor does
    draft.at.u[0, 1:] = 0.0             # as `.at[0, 1:].set(0.0)` does
    noise = jax.random.normal(draft.next_key(), (3,))
    plate = draft.freeze()

A generated `Draft` lists its fields, one per line. Their behaviour is defined here. A
draft is used in the trace in which it was created, or to which `lift` passed it.
"""

from typing import TYPE_CHECKING, Any, Generic, Never, NoReturn, Self, TypeVar, overload

import jax
from jax import Array
from jax.typing import ArrayLike

from ..classes.values import is_weak, without_weak_type
from ..declared import described
from ..keys.interning import reentrant_lock
from ..keys.names import has_dtype, is_ref
from .state import (
    PACKAGE,
    DraftNode,
    Session,
    assign,
    connect,
    current_object,
    iter_drafts,
    load,
    mark_read,
    mark_replaced,
)
from .state import DraftError as DraftError
from .values import DraftAt as DraftAt
from .values import Items as Items

Get_co = TypeVar("Get_co", covariant=True)
Set_contra = TypeVar("Set_contra", contravariant=True)
At_co = TypeVar("At_co", bound=DraftAt, covariant=True)
T = TypeVar("T")
Part = TypeVar("Part", bound="PytreeDraft")

_lock = reentrant_lock()


class PytreeDraft:
    """The base of generated drafts."""

    __slots__ = ("__codegen_node__", "__weakref__")

    __codegen_node__: DraftNode

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # A class that is no pytree would be a leaf, and JAX's error would not help the
        # user.
        refuse: Any = _refuse_leaving  # Flattening raises, so none is unflattened.
        jax.tree_util.register_pytree_node(cls, refuse, refuse)

    def __init__(self, obj: object) -> None:
        if getattr(type(obj), "Draft", None) is not type(self):
            name, received = type(self).__qualname__, type(obj).__qualname__
            raise TypeError(
                f"cannot create a `{name}` from a `{received}`: call the method "
                "`draft()` of an instance"
            )
        connect(self, obj)

    def next_key(self, field: str | None = None) -> Array:
        """Split the key in a field: one part stays there, the other is returned.

        Args:
            field: the name of the field, if the class has several with a key
        """
        node = self.__codegen_node__
        # Two threads that split one key at once would get the same part.
        with _lock:
            name = _key_field(self, field)
            node.require_writable(name)
            key: Array
            node.cells[name].value, key = jax.random.split(node.read(name))
        return key

    def __repr__(self) -> str:
        fields = ", ".join(self.__codegen_node__.cells)
        return f"<draft of {self.__codegen_node__.key.cls.__qualname__}: {fields}>"

    def __reduce__(self) -> NoReturn:
        _refuse_leaving(self, "was copied or pickled")

    if not TYPE_CHECKING:
        # Type checkers must see only the declared fields.
        at = property(DraftAt)

        def __getattr__(self, name: str) -> Any:
            node = self.__codegen_node__
            statics = [*node.record.meta_fields]
            if name not in statics:
                raise _refused_attribute(self, name)
            node.require(name, "read")
            return node.key.values[statics.index(name)]

        def __setattr__(self, name: str, value: object) -> None:
            if name not in self.__codegen_node__.cells:
                why = f"is static: write `draft.freeze().replace({name}=...)`"
                raise _refused_attribute(self, name, why)
            super().__setattr__(name, value)

        def __delattr__(self, name: str) -> NoReturn:
            why = "cannot be deleted: assign another value"
            raise _refused_attribute(self, name, why)


def frozen(draft: PytreeDraft) -> Any:
    """Return the object of a draft. A draft that is not nested in another one ends."""
    session = draft.__codegen_node__.session
    obj = current_object(draft, "frozen")
    if session.root is draft:
        again = "create another with `draft()`"
        session.refusal = f", but the whole draft was frozen before: {again}"
    return obj


# --- fields


class DraftField(Generic[Get_co, Set_contra]):
    """A field of a draft, which converts assigned values. Its types for reading and
    writing differ.
    """

    name: str

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, draft: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, draft: PytreeDraft, owner: type[Any]) -> Get_co: ...
    def __get__(self, draft: PytreeDraft | None, owner: type[Any]) -> Any:
        return self if draft is None else draft.__codegen_node__.read(self.name)

    def __set__(self, draft: PytreeDraft, value: Set_contra) -> None:
        node = draft.__codegen_node__
        node.require_writable(self.name)
        convert = described(node.record.data_fields[self.name]).draft
        self.write(node, convert(value, node.key.cls, self.name))

    def write(self, node: DraftNode, value: object) -> None:
        """Put a converted value into the field."""
        node.cells[self.name].value = value

    def load(self, held: object, value: object, session: Session) -> object:
        """Return the field's new content for a value of an object, which replaces its
        old content.
        """
        return value


class DraftStatic(DraftField[Get_co, Never]):
    """The type of a static field for type checkers. No trace can change such a field."""


class ItemsOf(DraftStatic[At_co]):
    """The type of a draft's `at` for type checkers; each draft class has its own."""

    def __init__(self, cls: type[At_co]) -> None:
        raise NotImplementedError


class DraftArray(DraftField[Array, ArrayLike]):
    """An array."""

    def load(self, held: object, value: object, session: Session) -> object:
        # A loop returns strong types, and would trace a weakly typed input twice.
        return without_weak_type(value) if is_weak(value) else value


class DraftOptionalArray(DraftField[Array | None, ArrayLike | None]):
    """An array or None."""


class DraftKey(DraftField[Array, Array]):
    """A PRNG key, or an array of them."""


class DraftRef(DraftField[jax.Ref, Never]):
    """A Ref: functions write its content, `draft.k[...] = value`, and no draft replaces it."""

    if not TYPE_CHECKING:

        def __get__(self, draft: PytreeDraft | None, owner: type[Any]) -> Any:
            value = super().__get__(draft, owner)
            if draft is None or is_ref(value):
                return value
            raise DraftError(
                f"{draft.__codegen_node__.place(self.name)} was read in the condition of "
                "`lift.while_loop`, which would always get the value from before the loop: "
                "read an array field there, which the body writes"
            )

        def __set__(self, draft: PytreeDraft, value: object) -> NoReturn:
            why = f"is a Ref: write its content, `draft.{self.name}[...] = value`"
            raise _refused_attribute(draft, self.name, why)


class DraftParts(DraftField[Get_co, Set_contra]):
    """Objects with arrays in containers or unions, which are read as nested drafts."""

    if not TYPE_CHECKING:

        def __get__(self, draft: PytreeDraft | None, owner: type[Any]) -> Any:
            value = super().__get__(draft, owner)
            if draft is not None:
                mark_read(value)
            return value

    def write(self, node: DraftNode, value: object) -> None:
        assign(node, self.name, value)
        mark_replaced(node.cells[self.name].value)

    def load(self, held: object, value: object, session: Session) -> object:
        return load(held, value, session)


class DraftPart(DraftParts[Part, T | Part], Generic[T, Part]):
    """An object with arrays of a class or subclass, which is read as its draft."""


# --- keys


def _key_field(draft: PytreeDraft, field: str | None) -> str:
    """Return the name of the field to split, which must contain one key."""
    node = draft.__codegen_node__
    node.require(field or "", "split")
    chosen = [name for name in _keys(node) if field in (None, name)]
    if len(chosen) == 1:
        return chosen[0]
    calls = [
        f'`draft{jax.tree_util.keystr(place)}.next_key(field="{name}")`'
        for place, part in iter_drafts(draft)
        for name in _keys(part)
    ]
    remedy = (
        f"write {' or '.join(calls[:4])}" if calls else "declare `rng: donated[key]`"
    )
    place = node.place(field or "")
    raise DraftError(
        f"{place} does not contain a single key, which `next_key` needs: {remedy}"
    )


def _keys(node: DraftNode) -> list[str]:
    """Return the names of the fields that contain one key each."""
    held = [(name, cell.value) for name, cell in node.cells.items()]
    arrays = [(name, x) for name, x in held if not is_ref(x)]
    scalars = [(name, x) for name, x in arrays if getattr(x, "shape", None) == ()]
    # Reading a consumed key raises its error.
    return [name for name, x in scalars if has_dtype(x.dtype, "key")]


# --- errors


def _refused_attribute(draft: PytreeDraft, name: str, why: str = "") -> AttributeError:
    """Return the error for a name that is not a field, or for an operation that a field
    refuses.
    """
    node = draft.__codegen_node__
    names = (*node.cells, *node.record.meta_fields)
    text = f"{node.place(name)} {why}"
    if name not in names:
        fields = ", ".join(f"`{field}`" for field in names) or "none"
        text = f"{node.place('')} has no `{name}`. It has {fields}"
    return AttributeError(text, name=name, obj=draft)


def _refuse_leaving(
    draft: PytreeDraft, done: str = "was passed to JAX as a pytree"
) -> NoReturn:
    fields = ", ".join(f"`{name}`" for name in draft.__codegen_node__.cells)
    raise DraftError(
        f"{draft.__codegen_node__.place('')} (of {fields}) {done}, but a draft belongs "
        "to one trace. Outside of that trace, use the object that `draft.freeze()` "
        "returns. For a nested transformation, pass the draft first, as in "
        f"`lift.jit(f)(draft)` (`from {PACKAGE} import lift`)"
    )
