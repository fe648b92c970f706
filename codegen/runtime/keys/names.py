"""The names of dtypes in schemas, and of classes and functions in modules.

After a reload, `heat.Plate` is another class. An object from before the reload keeps
its own class, and `heat.step` refuses it.
"""

import dataclasses
import enum
import operator
import sys
import types
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeGuard

import jax
import jax.numpy as jnp
import numpy as np

from .messages import Owner

if TYPE_CHECKING:
    from ..classes.registration import Record
    from .interning import TraceKey

# The dtypes of each kind, as with jaxtyping's name for it. A bool is not a number.
KINDS: Final[dict[str, tuple[type[Any], ...]]] = {
    "Float": (np.floating,),
    "Int": (np.signedinteger,),
    "UInt": (np.unsignedinteger,),
    "Bool": (np.bool_,),
    "Complex": (np.complexfloating,),
    "Inexact": (np.inexact,),
    "Real": (np.floating, np.integer),
    "Num": (np.number,),
    "Shaped": (np.generic,),
}
# The module name of the script, and its name while `multiprocessing` imports it in a
# new process.
RUNNING: Final = ("__main__", "__mp_main__")
# Errors of looking up an object that has no name, or another one.
_OF_NO_NAME: Final = (AttributeError, KeyError, TypeError)
_MISSING: Final = object()


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class ModuleFacts:
    """Facts about a generated module that are not in its classes. An import creates new ones."""

    # What its schema imports from outside. Example: "optax:OptState"
    imports: Sequence[str]
    # Former names of classes, enums, members and dimensions, by their current names:
    # "Plate", "Scheme.EXPLICIT", "nx". Those of fields are in the records.
    was: Mapping[str, Sequence[str]]


# The generated modules, by name.
generated_modules: Final[dict[str, ModuleFacts]] = {}
# The earlier classes that `%autoreload` has replaced in every module. The records of
# other classes still name them.
_rebound: Final = weakref.WeakSet[Any]()


def is_kind(dtype: Any, kind: type[Any]) -> bool:
    """Return whether a dtype is of an abstract kind: bfloat16 is of `np.floating`."""
    return bool(jnp.issubdtype(dtype, kind))


def matches(dtype: np.dtype[Any], declared: str) -> bool:
    """Return whether a dtype is the declared one, or of the declared kind."""
    if declared in KINDS:
        return any(is_kind(dtype, kind) for kind in KINDS[declared])
    return canonical(dtype) == np.dtype(declared)


def has_dtype(dtype: Any, declared: str) -> bool:
    """Return whether JAX has arrays of a dtype for the declared one, including keys."""
    if declared == "key":
        return is_kind(dtype, jax.dtypes.prng_key)
    if declared in KINDS:
        return matches(dtype, declared)
    # Without 64 bits enabled, an array with a 64-bit dtype has 32 bits.
    names = declared, jax.dtypes.canonicalize_dtype(declared).name
    return isinstance(dtype, np.dtype) and any(matches(dtype, n) for n in names)


def canonical(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the canonical form of a dtype: native byte order, no metadata."""
    if dtype.isbuiltin not in (0, 1):  # From outside NumPy, as bfloat16 is.
        return np.dtype(dtype.type)
    # Two C types of one size (long, long long) are one dtype with two characters.
    return np.dtype(dtype.newbyteorder("=").str)


class Generated:
    """The root of all generated classes.

    Only this class has slots, so that a class may derive from both `Static` and
    `Pytree`: a dynamic class from a static one, or a static class from an abstract
    dynamic one.
    """

    __slots__ = ("__codegen_key__", "__weakref__")

    if TYPE_CHECKING:
        __codegen_key__: "TraceKey"
        __codegen_record__: ClassVar["Record"]
        __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]


def is_generated(value: object) -> TypeGuard[Generated]:
    """Return whether a value is an object of a generated class."""
    return isinstance(value, Generated)


# --- Refs


def is_ref(leaf: Any) -> bool:
    """Return whether a leaf is a Ref, a tracer of one, or a ShapeDtypeStruct of one."""
    is_struct = isinstance(leaf, jax.ShapeDtypeStruct)
    return leaf.is_ref if is_struct else isinstance(leaf, jax.Ref)


def abstract_ref(leaf: Any, sharding: object = None) -> object:
    """Return the ShapeDtypeStruct of a Ref, or of a Ref of an array."""
    struct: Any = jax.ShapeDtypeStruct
    return struct(leaf.shape, leaf.dtype, sharding=sharding, is_ref=True)


def content_of(leaf: Any) -> object:
    """Return the content of a Ref; any other leaf is returned itself."""
    if not is_ref(leaf):
        return leaf
    is_struct = isinstance(leaf, jax.ShapeDtypeStruct)
    return leaf.update(is_ref=False) if is_struct else leaf[...]


def in_ref_like(leaf: object, value: object) -> object:
    """Return a value that replaces a leaf: in a new Ref if the leaf is a Ref."""
    return new_ref(value) if is_ref(leaf) else value


def new_ref(content: object) -> object:
    """Return a new Ref of an array. Pickles name this function."""
    is_abstract = isinstance(content, jax.ShapeDtypeStruct)
    return abstract_ref(content) if is_abstract else jax.new_ref(content)


class _PicklableRef:
    """Replaces a Ref in a pickle. JAX 0.12 cannot use a Ref that it has unpickled."""

    def __init__(self, ref: Any) -> None:
        self.ref = ref

    def __reduce__(self) -> tuple[Any, ...]:
        return new_ref, (self.ref[...],)


# Those of the pickles that are written now, by the ids of their Refs. A Ref that several
# objects have is then unpickled as one Ref.
_pickled_refs: Final = weakref.WeakValueDictionary[int, _PicklableRef]()


def picklable(leaf: object) -> object:
    """Return an object that is unpickled as a new Ref; any other leaf is returned
    itself.
    """
    if not isinstance(leaf, jax.Ref):
        return leaf
    return _pickled_refs.setdefault(id(leaf), _PicklableRef(leaf))


# --- classes


def has_class_name(value: object, name: str | None) -> bool:
    """Return whether a value is of a class, by its name within any package."""
    if name is None or not is_generated(value):
        return name is None
    kind = type(value)
    full = kind.__codegen_record__.package + name
    return any(f"{one.__module__}.{one.__name__}" == full for one in kind.__mro__)


def module_and_name(value: object) -> tuple[Any, Any]:
    """Return the module of a function or class, and its name there.

    A script that a schema names has the name that it would have as an import.
    """
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    module = getattr(value, "__module__", None)
    if module in RUNNING:
        module = getattr(sys.modules.get(module), "__codegen_name__", module)
    return module, name


def find_named(value: object, default: object) -> object:
    """Return the object that has the name of a value in its module, or a default."""
    module, name = module_and_name(value)
    try:
        return operator.attrgetter(name)(sys.modules[module])
    except _OF_NO_NAME:
        return default


def is_found(value: object) -> bool:
    """Return whether an object is in its module under its own name."""
    # `type(None)` is in no module, but pickle knows it.
    return value is type(None) or find_named(value, _MISSING) is value


def current(value: Any) -> Any:
    """Return the class, enum member or function that has the name of this one now.

    After a reload it is another object. A value that its module does not have is
    returned as it is.
    """
    if isinstance(value, enum.Enum):
        cls = current(type(value))
        # As in a pickle, a member is found by its value.
        return value if cls is type(value) else cls(value.value)
    is_function = isinstance(value, types.FunctionType)
    if is_function and value.__code__.co_name != value.__name__:
        return value  # `functools.wraps` gives a wrapper the name of another function.
    found = find_named(value, value)
    return found if type(found) is type(value) else value


def is_counterpart(value: object, kind: type[Any], owner: Owner) -> bool:
    """Return whether a value may stay in an object from before a reload, as it was
    then; or whether `%autoreload` has replaced the declared class by that of the value.
    """
    if kind in _rebound and isinstance(value, current(kind)):
        return True
    if not isinstance(owner, type) or is_found(owner):
        return False
    return any(
        module_and_name(cls) == module_and_name(kind) for cls in type(value).__mro__
    )


def describe_other_class(value: object, kind: type[Any]) -> str:
    """Describe the class of a value, if it only shares the requested name; else an
    empty text.
    """
    alike = (
        one for one in type(value).__mro__ if one.__qualname__ == kind.__qualname__
    )
    its, module = next(alike, kind), kind.__module__
    if its is kind:
        return ""
    if its.__module__ != module:
        return (
            f"its class is `{its.__module__}.{kind.__qualname__}`, not "
            f"`{module}.{kind.__qualname__}`"
        )
    if not is_found(its):
        runtime = __name__.removesuffix(".keys.names")
        return (
            f"its class is from before `{module}` was reloaded: call `upgrade(...)` of "
            f"`{runtime}` for it, or create it again"
        )
    return (
        f"`{module}` was reloaded, but the code that takes this value still uses the "
        "old class: reload that code too (`importlib.reload`), or restart Python"
    )


def _is_ours(old: object, new: object) -> bool:
    return getattr(old, "__module__", None) in generated_modules and old is not new


def _rebind(old: object, new: object) -> None:
    """Bind the names of the old object to the new one, in every module."""
    if isinstance(old, type):
        _rebound.add(old)
    # The functions beside a class are not imported elsewhere.
    modules = [] if isinstance(old, types.FunctionType) else [*sys.modules.values()]
    for module in modules:
        names: dict[str, Any] = getattr(module, "__dict__", {})
        for name in [name for name, value in [*names.items()] if value is old]:
            names[name] = new


# A test for objects that IPython's `%autoreload` would update in place, and the
# function that handles them.
_RULE: Final = (_is_ours, _rebind)


def keep_from_autoreload(module: str) -> None:
    """Make IPython's `%autoreload` leave the content of a generated module unchanged.

    It would put the functions of the new class into the old one, and the new class into
    the old objects. Fields would then change their slots.
    """
    autoreload = sys.modules.get("IPython.extensions.autoreload")
    rules: list[Any] | None = getattr(autoreload, "UPDATE_RULES", None)
    if rules is not None and _RULE not in rules:
        rules.insert(0, _RULE)
