"""What keeps working of the classes that generated classes replace: pickles and types.

    plate = Plate.__new__(Plate)                  # as `pickle` does
    plate.__setstate__({"u": u, "grid": grid})    # then all fields are set

`pickle` calls `__new__` without arguments. The object that it gets is of a hidden
subclass, until its fields are set. `Plate()` raises the usual error, because Python
calls `__init__` of that subclass.

    dataclasses.fields(Plate)[0].type             # jax.Array, as mjx asks; not a string
"""

import dataclasses
import functools
import importlib
import types
from typing import Any, Final, Union

import jax

from .classes.subclasses import close, hidden_subclass
from .keys import MISSING

_UNION: Final[Any] = Union


def keep_module(cls: type[Any], module: str) -> None:
    """Set the module of the class that this one replaces, and load its pickles."""
    cls.__module__ = module
    loading: Any = cls
    loading.__setstate__ = _set_state
    for field in loading.__dataclass_fields__.values():
        field.__class__ = _ResolvedField
    if "__new__" not in vars(cls):
        return  # it has no field
    constructor: Any = vars(cls)["__new__"].__func__
    read = constructor.__code__.co_names
    if not any(constructor.__globals__.get(name) is start_empty for name in read):
        return  # it has no required field
    strict: Any = types.FunctionType(
        constructor.__code__,
        constructor.__globals__,
        constructor.__name__,
        constructor.__defaults__,
        constructor.__closure__,
    )
    strict.__annotations__ = constructor.__annotations__
    strict.__kwdefaults__ = constructor.__kwdefaults__
    strict.__qualname__ = constructor.__qualname__
    constructor.__wrapped__ = strict  # so `inspect.signature` shows the real parameters
    code = constructor.__code__
    by_place = code.co_argcount - 1 - len(constructor.__defaults__ or ())
    constructor.__defaults__ = (
        *(MISSING,) * by_place,
        *(constructor.__defaults__ or ()),
    )
    keywords = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    known = constructor.__kwdefaults__ or {}
    constructor.__kwdefaults__ = {n: known.get(n, MISSING) for n in keywords} or None


def start_empty(cls: Any, **required: Any) -> Any:
    """Return an object without fields if no required field was given.

    Raises:
        TypeError: only some were given; the text is Python's own
    """
    given = {name: one for name, one in required.items() if one is not MISSING}
    if given:
        _raise_missing(cls, given)
    return object.__new__(_empty_class(cls))


def _raise_missing(cls: Any, given: dict[str, Any], *args: Any) -> None:
    """Call the constructor as it was written, so Python names what is missing."""
    cls.__new__.__wrapped__(cls, *args, **given)


@functools.cache
def _empty_class(cls: Any) -> type[Any]:
    """Return the hidden subclass."""

    def init(self: Any, *args: Any, **given: Any) -> None:
        _raise_missing(cls, given, *args)

    return hidden_subclass(cls, {"__init__": init})


def _set_state(self: Any, state: Any) -> None:
    """Set all fields, from the state of an object of the class that this one replaces."""
    cls = getattr(type(self), "_codegen_closed", type(self))
    names = [field.name for field in dataclasses.fields(cls)]
    if isinstance(state, dict):
        values = state
    elif len(state) == 2 and isinstance(state[1], dict):  # of a class with slots
        values = {**(state[0] or {}), **state[1]}
    else:  # of a frozen dataclass with slots
        values = dict(zip(names, state, strict=False))
    close(self, {name: values[name] for name in names if name in values})


# --- types of fields


class _ResolvedField(dataclasses.Field[Any]):
    """A field whose `type` is a class, which is looked up when it is read."""

    __slots__ = ()

    @property
    def type(self) -> Any:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """The class of its values: `jax.Array` for all leaves."""
        metadata: Any = self.metadata
        record = metadata.cls.__codegen_record__
        if self.name in record.meta_fields:
            return _python_type(record.meta_fields[self.name], object)
        return _python_type(record.data_fields.get(self.name), jax.Array)


def _python_type(declared: Any, otherwise: Any) -> Any:
    """Return the Python type of a description; `otherwise` is the type of all leaves."""
    match type(declared).__name__:
        case "Part":
            later = declared.cls
            if not isinstance(later, tuple):
                return later
            name, module, package = later  # a `Later`
            return getattr(importlib.import_module(module, package), name)
        case "AnyOf":
            options = tuple(_python_type(one, otherwise) for one in declared.options)
            return _UNION[options]
        case "Items":
            items = tuple(_python_type(one, otherwise) for one in declared.items)
            return types.GenericAlias(tuple, items)
        case "Each" if declared.kind is tuple:
            item = _python_type(declared.item, otherwise)
            return types.GenericAlias(tuple, (item, ...))
        case "NoneType":
            return None
        case _:
            is_class = isinstance(declared, type)
            is_static = otherwise is object
            is_kept = is_class and (
                is_static or hasattr(declared, "__codegen_record__")
            )
            return declared if is_kept else otherwise
