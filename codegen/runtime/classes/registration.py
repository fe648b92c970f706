"""Generated classes: their bases, and their registration with JAX and this package.

    register_dataclass(Grid, schema="heat.Grid", meta_fields={"nx": int, "ny": int})

The auxiliary data is only the key. Two classes, or two different static values, never
have equal treedefs, as they can have with JAX's own `register_dataclass`.

Facts that a class needs later are in its record, never in a global name of its module.
A reload of the module would change that name.
"""

import copy
import dataclasses
import functools
import pkgutil
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, Self, TypeAlias

import jax

from ..declared import (
    MeshAxes,
    Parent,
    Shape,
    ShapedRef,
    all_of,
    described,
    donated,
)
from ..keys.conversion import MISSING
from ..keys.interning import Table, TraceKey, load, load_arguments, trace_key
from ..keys.messages import format_pretty
from ..keys.names import Generated, generated_modules, picklable
from .subclasses import (
    CREATE,
    DataclassParameters,
    FieldMetadata,
    class_error,
    class_fault,
    refuse_change,
)
from .values import fill

Children: TypeAlias = tuple[Any, ...]
Share: TypeAlias = tuple[tuple[str, ...], ...]


def unflatten(key: TraceKey, children: Children) -> Any:
    """Create an object of a class with foreign bases, unchecked.

    The object is frozen, so each slot is set by its own descriptor.
    """
    obj = object.__new__(key.cls)
    slots = key.cls.__codegen_record__.slots
    for (_, put, _), value in zip(slots, (*children, *key.values, key), strict=True):
        put(obj, value)
    return obj


_unflatten_by_slots: Final = unflatten  # In the class it has the name of a field.


@dataclasses.dataclass(eq=False)
class Record:
    """Facts about a generated class; stored on the class as `__codegen_record__`.

    A Python subclass has its own, which is built from that of its base.
    """

    cls: type[Any]
    # The module and name of the class in its schema. Example: "heat.Grid"
    schema: str
    # The types of the children and the static fields, in the orders of `flatten` and `key`.
    data_fields: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    meta_fields: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    # From an object to its children and key, and back, unchecked.
    flatten: Callable[[Any], Any] = lambda value: ((), value.__codegen_key__)
    unflatten: Callable[[TraceKey, Any], Any] = _unflatten_by_slots
    # Declared sharing, one row a part: the owner's path and the alias paths.
    shares: Sequence[Share] = ()
    # The class's own dimension names, such as ("n_in",). A holder may use other names.
    parameters: tuple[str, ...] = ()
    # The bases that have parameters, nearest first. Example: {"heat.Base": ...}
    bases: Mapping[str, Parent] = dataclasses.field(default_factory=dict[str, Parent])
    # The paths of static values that determine a dimension. Example: ("nx", "grid.nx")
    sizes: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    # The mesh axes that a dimension is sharded over.
    mesh: Mapping[str, MeshAxes] = dataclasses.field(default_factory=dict)
    # The dimensions whose size comes from a keyword of `abstract` with another name, or
    # from a static value of a part. Example: {"*batch": "batch", "nx": "plate_grid.nx"}
    known: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # The fields that `abstract` leaves empty, since they contain objects of this class.
    empty: tuple[str, ...] = ()
    donated_fields: Sequence[str] = ()
    ref_fields: Sequence[str] = ()
    # The tags of the schema's fields, and all tags that an object has.
    tags: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    all_tags: tuple[str, ...] = ()
    # The factory of a default value. Example: {"rates": "models:default_rates"}
    factories: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # Former names of fields, and their current names.
    was: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # The types of fields whose descriptions above omit a part, as texts: the type
    # `Callable[[f32[nx]], f32]` of "source".
    declared: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    type_parameters: tuple[str, ...] = ()
    # Names of former fields, and the functions that convert earlier versions of the
    # class. Example: {"3f2a9c01": "migrations:split"}
    reserved: tuple[str, ...] = ()
    migrations: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # The functions that convert the value of a field. Example: {"power": "units:watts"}
    converted: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    # Whether only subclasses have objects.
    abstract: bool = False
    # For a class that shares: the plans found for its objects, see `sharing.py`.
    plans: dict[Any, Any] = dataclasses.field(default_factory=dict, repr=False)
    # The interned keys of the class, referred to weakly.
    table: Table = dataclasses.field(default_factory=dict, repr=False)

    # Where a flattened object of a class that shares has holes, each with its owner;
    # set by `sharing.py`.
    holes: ClassVar[Any]

    def __post_init__(self) -> None:
        fields = self.data_fields
        self.ref_fields = [n for n, one in fields.items() if isinstance(one, ShapedRef)]
        names = [n for n, one in fields.items() if isinstance(one, donated)]
        if names:
            self.donated_fields = names
            self.data_fields = {**fields, **{n: fields[n].declared for n in names}}
        if self.shares and self.unflatten is _unflatten_by_slots:
            from ..sharing import unflatten_shared

            self.unflatten = unflatten_shared

    @functools.cached_property
    def shapes(self) -> Mapping[str, Shape]:
        """The declared shapes of the fields, in the class's own parameters.

        Fields without arrays are left out. Static fields are included if they hold
        constant arrays.
        """
        statics = self.meta_fields.values()
        if not self.data_fields and not any(t.has_shapes() for t in all_of([*statics])):
            return {}
        from ..shapes.dimensions import class_shapes

        return class_shapes(self)

    @functools.cached_property
    def _converters(self) -> list[tuple[str, Any]]:
        """The converters of the static fields, by name."""
        return [(n, described(one).static) for n, one in self.meta_fields.items()]

    def key(self, cls: type[Any], values: Sequence[Any]) -> TraceKey:
        """Convert static values, and return their key, as the constructor does."""
        names = zip(self._converters, values, strict=True)
        pairs = [convert(value, cls, name) for (name, convert), value in names]
        tag = tuple([tag for _, tag in pairs])
        return trace_key(cls, tuple([value for value, _ in pairs]), tag)

    @functools.cached_property
    def split(self) -> Callable[[Any, list[Any], list[Any]], Hashable]:
        """The function that splits an object for a call: see `splitting.py`."""
        from ..splitting import make_split

        return make_split(self)

    @property
    def create(self) -> Any:
        """The constructor that takes the fields."""
        return getattr(self.cls, CREATE, self.cls)

    @functools.cached_property
    def defaults(self) -> dict[str, Any]:
        """The declared defaults of the constructor's parameters."""
        constructor: Any = getattr(self.cls, CREATE, self.cls.__new__)
        defaults: dict[str, Any] = getattr(constructor, "__kwdefaults__", None) or {}
        if by_place := getattr(constructor, "__defaults__", None):
            names = constructor.__code__.co_varnames[: constructor.__code__.co_argcount]
            defaults |= dict(zip(names[-len(by_place) :], by_place, strict=True))
        # Compare by identity: `==` of arrays returns an array.
        return {name: each for name, each in defaults.items() if each is not MISSING}

    @functools.cached_property
    def package(self) -> str:
        """The package into which the class was generated, and a dot."""
        return f"{self.cls.__module__}.{self.cls.__name__}".removesuffix(self.schema)

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled by reference, for tools that pickle a `__main__` class by attributes.
        return getattr, (self.cls, "__codegen_record__")

    @functools.cached_property
    def slots(self) -> tuple[tuple[str, Any, Any], ...]:
        """All slots, including that of the key: name, setter and getter of each."""
        names = (*self.data_fields, *self.meta_fields, "__codegen_key__")
        descriptors = ((name, getattr(self.cls, name)) for name in names)
        return tuple((name, slot.__set__, slot.__get__) for name, slot in descriptors)


def default_of(record: Record, name: str, otherwise: object = None) -> object:
    """Return the default of a field; its factory creates a new value."""
    if path := record.factories.get(name):
        return pkgutil.resolve_name(path)()
    return record.defaults.get(name, otherwise)


def as_declared(value: object, cls: type[Any], name: str) -> Any:
    """Convert the value of a container or union of arrays to its declared type."""
    return cls.__codegen_record__.data_fields[name].dynamic(value, cls, name)


def as_declared_static(value: object, cls: type[Any], name: str) -> Any:
    """Convert a static value to its declared type; return it and its exact tag."""
    return cls.__codegen_record__.meta_fields[name].static(value, cls, name)


# --- bases


class GeneratedClass(Generated):
    """The members of every generated class: its key, and methods of its fields."""

    __slots__ = ()

    __codegen_key__: TraceKey
    __codegen_record__: ClassVar[Record]

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        # Generated modules register their classes themselves.
        of_schema = cls.__module__ in generated_modules
        if hasattr(cls, "__codegen_record__") and not of_schema:
            _adopt(cls)

    def __repr__(self) -> str:
        # Defined once for all classes: `dataclass` would compile one per class.
        return format_pretty(self)

    def __replace__(self, /, **changes: object) -> Self:
        new: Self = getattr(self, "replace", type(self))(**changes)
        return new

    def __copy__(self) -> Self:
        return self.__deepcopy__(None)

    def __deepcopy__(self, memo: dict[int, Any] | None) -> Self:
        children, key = self.__codegen_record__.flatten(self)
        children = children if memo is None else copy.deepcopy(children, memo)
        copied: Self = self.__codegen_record__.unflatten(key, children)
        return copied if children else self

    def __reduce__(self) -> tuple[Any, ...]:
        fields = self.__codegen_record__.data_fields
        children = [picklable(getattr(self, name)) for name in fields]
        return load, (*load_arguments(self.__codegen_key__), children)

    def check(self) -> Self:
        """Check every array, nested ones too, against its declared dtype and shape.

        Within an object one dimension has one size. Returns the object itself.

        Raises:
            ValueError: names the field by its path, with the expected and the actual
                type
        """
        if self.__codegen_record__.shapes:
            from ..shapes import check_shapes

            check_shapes(self)
        return self

    def fingerprint(self) -> str:
        """Return a digest of the schema and of the static values, nested ones too.

        64 hexadecimal digits, the same in every process and on every Python.
        """
        from ..mesh.fingerprints import fingerprint

        return fingerprint(self)


class Static(GeneratedClass):
    """A class whose fields are all static. Its objects are values, hashed and compared
    by their keys.
    """

    __slots__ = ()


class Pytree(GeneratedClass):
    """A class with arrays. Its objects have no hash."""

    __slots__ = ()

    def like(self, leaf: object, /, **fields: object) -> Self:
        """Return an object of the same structure with other values, unchecked.

        `plate.like(None, u=0)` creates a tree for in_axes, masks and labels. For optax,
        write `lambda params: params.like(False, u=True)`.

        Args:
            leaf: the value that replaces every leaf
            fields: for dynamic or donated fields, one value or an object like the field

        Raises:
            TypeError: there is no such field, or it is static
        """
        return fill(self, leaf, fields)


def unhashable(obj: Pytree) -> TypeError:
    """Return the error of `hash` for an object that may contain arrays."""
    name = type(obj).__qualname__
    return TypeError(
        f"unhashable: a `{name}` contains arrays, which have no hash. Pass it to "
        "`jax.jit` as an ordinary argument, not as a static one. As the key of a "
        "dict, use one of its static fields, or `id(...)`"
    )


# --- registration


def unfrozen(cls: type[Any]) -> type[Any]:
    """Return a class with the slots of a generated class, which is not frozen.

    `unflatten` fills its objects, and then sets their `__class__`. Python allows this
    for classes with the same base and the same slots.
    """
    bases = tuple(base for base in cls.__bases__ if base is not Generic)
    members = {"__slots__": cls.__slots__, "__module__": cls.__module__}
    return type(f"_{cls.__name__}", bases, members)


def register_dataclass(cls: Any, **known: Any) -> None:
    """Register a class as a pytree: its fields are data, its key is auxiliary data.

    The keywords are the arguments of `Record`.
    """
    record = cls.__codegen_record__ = Record(cls, **known)
    cls.__dataclass_params__ = DataclassParameters(cls.__dataclass_params__)
    if record.abstract:  # For Python and `inspect`, but not for its subclasses.
        methods: frozenset[str] = getattr(cls, "__abstractmethods__", frozenset())
        cls.__abstractmethods__ = methods | {"__new__"}
    # A class body with slots cannot have a default or a `field(...)`.
    for name, field in cls.__dataclass_fields__.items():
        if not field.metadata:  # Otherwise it was inherited, and so described before.
            role = "dynamic" if name in record.data_fields else "static"
            role = "donated" if name in record.donated_fields else role
            role = "ref" if name in record.ref_fields else role
            field.metadata = FieldMetadata(cls, name, role)
            field.default = record.defaults.get(name, dataclasses.MISSING)
            if name in record.factories:
                field.default_factory = functools.partial(default_of, record, name)
    # The errors of `dataclasses` name neither the class nor a solution. Its
    # `copy.replace` would also convert unchanged values again.
    cls.__setattr__ = cls.__delattr__ = refuse_change
    cls.__replace__ = GeneratedClass.__replace__
    if cls.__init__ is not object.__init__ and not hasattr(cls, CREATE):
        # Replace the `__init__` of a protocol, which would pass on the arguments.
        cls.__init__ = object.__init__
    _register(record)


def _register(record: Record) -> None:
    steps = [jax.tree_util.GetAttrKey(name) for name in record.data_fields]

    def flatten_with_keys(
        value: object,
    ) -> tuple[tuple[tuple[Any, Any], ...], TraceKey]:
        children, key = record.flatten(value)
        return tuple(zip(steps, children, strict=True)), key

    jax.tree_util.register_pytree_with_keys(
        record.cls, flatten_with_keys, record.unflatten, record.flatten
    )


def _adopt(cls: Any) -> None:
    """Register a Python subclass, which has the fields of its generated base."""
    bases = [base for base in cls.__mro__[1:] if "__codegen_record__" in vars(base)]
    base = bases[0].__codegen_record__
    if fault := class_fault(cls, bases):
        raise class_error(cls, fault)
    own: dict[str, Any] = {"abstract": False, "plans": {}, "table": {}}
    record = dataclasses.replace(base, cls=cls, unflatten=unflatten, **own)
    vars(record)["package"] = base.package
    cls.__codegen_record__ = record
    _register(record)
    if hasattr(cls, CREATE):
        from ..own_init import install_init

        install_init(cls)
