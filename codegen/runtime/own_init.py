"""The constructor of a class with `init=False`: the `__init__` of its mixin.

    Linear(3, 4)    # `__init__` sets the fields, then they are converted and checked

Until `__init__` returns, the object is of a hidden subclass, whose fields can be set.
`replace` and the functions of this package call the generated constructor instead,
which takes the fields.
"""

import functools
from typing import Any

from .classes.registration import Record
from .classes.subclasses import CREATE


def install_init(cls: type[Any]) -> None:
    """Make the `__init__` of its mixin the constructor of a class.

    Raises:
        TypeError: there is none.
    """
    init = cls.__init__
    if init is object.__init__ and not cls.__codegen_record__.abstract:
        raise TypeError(
            f"`{cls.__qualname__}` has `init=False` in the schema, but no mixin has an "
            "`__init__`: define it, or remove `init=False`"
        )

    @functools.wraps(init)
    def __init__(self: Any, /, *args: object, **kwargs: object) -> None:  # noqa: N807
        init(self, *args, **kwargs)
        # A subclass calls it with `super()`, and closes the object itself.
        if vars(type(self)).get("_codegen_closed") is cls:
            _close(self, cls)

    def __new__(cls: object, /, *_: object, **__: object) -> Any:  # noqa: N807
        return _open(cls)

    constructor: Any = __new__
    constructor.__wrapped__ = init  # so `inspect.signature` shows the real parameters
    cls.__init__ = __init__
    cls.__new__ = staticmethod(constructor)


def _open(cls: Any) -> object:
    """Return an object whose fields can be set. Python then calls its `__init__`."""
    if getattr(cls, "__abstractmethods__", None):
        return object.__new__(cls)  # raises Python's own error
    return object.__new__(_open_class(getattr(cls, "_codegen_closed", cls)))


@functools.cache
def _open_class(cls: type[Any]) -> type[Any]:
    """Return the hidden subclass."""
    members = {
        "__slots__": (),
        # With the module of generated code, it is not taken for a Python subclass.
        "__module__": getattr(cls, CREATE).__globals__["__name__"],
        "_codegen_closed": cls,
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
        "__codegen_key__": property(_refuse_key),
    }
    metaclass: type[Any] = type(cls)
    hidden: type[Any] = metaclass(cls.__name__, (cls,), members)
    return hidden


def _close(obj: object, cls: type[Any]) -> None:
    """Convert and check the fields of an object, and make it one of its class."""
    record = cls.__codegen_record__
    created = record.create(**_fields_set(obj, cls))
    for _, set_slot, get_slot in record.slots:
        set_slot(obj, get_slot(created))
    object.__setattr__(obj, "__class__", cls)


def _refuse_key(self: Any) -> object:
    name = self._codegen_closed.__qualname__
    raise TypeError(
        f"this `{name}` cannot be hashed or compared yet: its `__init__` has not returned"
    )


def _fields_set(self: object, cls: type[Any]) -> dict[str, Any]:
    """Return the values of the fields that `__init__` has set.

    Raises:
        TypeError: a field without a default is missing.
    """
    record: Record = cls.__codegen_record__
    names = [*record.data_fields, *record.meta_fields]
    values = dict[str, Any]()
    for name, _, get_slot in record.slots:
        try:
            values[name] = get_slot(self)
        except AttributeError:
            if name in names and name not in {**record.defaults, **record.factories}:
                raise TypeError(
                    f"`__init__` of `{cls.__qualname__}` did not set the field `{name}`"
                ) from None
    return values
