"""Describe values by their types, shapes and leaves, or as code, inside the project's own processes.

kind_of(jnp.zeros(3))                     ->    "array float32 strong jax 1"
avals_of(Plate(u))                        ->    "Plate(.u: jax float32[3])"
ExpressionWriter().write(jnp.zeros(1))    ->    "jnp.asarray([0.0], 'float32')"

It imports nothing of codegen: see `recorder.py`.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import sys
from typing import Any

_ITEMS_MAX = 64
_SCALARS = (bool, int, float, complex, str, bytes)
RECORDED: dict[type, str] = {}
"""The classes whose constructors are recorded, with their names in the package."""


def fields_of(obj: Any) -> dict[str, str]:
    names = getattr(obj, "__dataclass_fields__", getattr(obj, "_fields", ()))
    return {name: avals_of(getattr(obj, name, None)) for name in names}


def ask_or_false(ask: Any) -> bool:
    """Return the answer of a class about its object; False if it raises."""
    try:
        answer: bool = ask()
    except Exception:  # noqa: BLE001 -- any error in a class
        return False
    return answer


def apply_converters(obj: Any) -> Any:
    """Return the object with converted fields: equinox converts them after the constructor."""
    fields = getattr(obj, "__dataclass_fields__", {})
    converters = {name: one.metadata.get("converter") for name, one in fields.items()}
    if not any(converters.values()):
        return obj
    copy = object.__new__(type(obj))
    for name, value in vars(obj).items():
        convert = converters.get(name)
        object.__setattr__(copy, name, value if convert is None else convert(value))
    return copy


def shapes_of(obj: Any, fields: Any) -> dict[str, Any]:
    """Return the shapes of the fields that contain arrays."""
    shapes = {field: getattr(getattr(obj, field), "shape", None) for field in fields}
    return {
        field: shape
        for field, shape in shapes.items()
        if isinstance(shape, tuple) and all(type(one) is int for one in shape)
    }


def kind_of(value: Any) -> str:
    """Describe the kind of a value, in the format that `decide/types.py` reads."""
    if value is None:
        return "None"
    if type(value) in _SCALARS:
        return type(value).__name__
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and isinstance(shape, tuple):
        numpy = sys.modules.get("numpy")
        weak = "weak" if getattr(value, "weak_type", False) else "strong"
        kind = "jax"
        if numpy is not None and isinstance(value, numpy.generic):
            kind = "generic"
        elif numpy is not None and isinstance(value, numpy.ndarray):
            kind = "numpy"
        return f"array {dtype} {weak} {kind} {len(shape)}".replace("key<", "key_").replace(">", "")
    cls = type(value)
    if cls in (tuple, list) or (cls is dict and all(type(one) is str for one in value)):
        inner = value.values() if cls is dict else value
        return f"{cls.__name__} {json.dumps(sorted({kind_of(one) for one in inner}))}"
    full_name = f"{cls.__module__}.{cls.__qualname__}"
    if isinstance(value, tuple) and any(kind_of(one).startswith("identity") for one in value):
        return f"identity {full_name}"
    if isinstance(value, enum.Enum):
        return f"enum {full_name}"
    if callable(value) and _is_importable(value):
        return "function"
    hashes: Any = cls.__hash__
    is_function = callable(value) and not hasattr(cls, "__dataclass_fields__")
    if cls not in RECORDED and (hashes is object.__hash__ or is_function):
        return f"identity {full_name}"
    return f"object {full_name}"


def _is_importable(value: Any) -> bool:
    """Return whether a function can be found under its module and name."""
    module = sys.modules.get(str(getattr(value, "__module__", "")))
    current: Any = module
    for name in str(getattr(value, "__qualname__", getattr(value, "__name__", ""))).split("."):
        current = getattr(current, name, None)
    return current is value


def avals_of(value: Any) -> str:
    """Describe a value deeply: a number's type, an array's aval, a tree's leaves."""
    if value is None or type(value) in _SCALARS:
        return type(value).__name__
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and isinstance(shape, tuple):
        kind = type(value).__module__.partition(".")[0]
        weak = " weak" if getattr(value, "weak_type", False) else ""
        return f"{kind if kind == 'numpy' else 'jax'} {dtype}{list(shape)}{weak}"
    tree_util = sys.modules["jax"].tree_util
    leaves, _ = tree_util.tree_flatten_with_path(value)
    if len(leaves) == 1 and leaves[0][1] is value:
        # A plain dataclass, which may become a pytree without leaves.
        return _name_of(value) if _has_name(value) else f"{type(value).__name__}()"
    inner = [f"{tree_util.keystr(path)}: {avals_of(leaf)}" for path, leaf in leaves]
    return f"{type(value).__name__}({', '.join(inner)})"


def node_types(treedef: Any) -> tuple[Any, ...]:
    """Return the types of the nodes of a treedef, as a tree."""
    data = treedef.node_data()
    return (data and data[0], *map(node_types, treedef.children()))


def describe_static(value: Any) -> str:
    """Describe a static value so that two runs can be compared."""
    if value is None or type(value) in _SCALARS:
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"({', '.join(map(describe_static, value))})"
    if _has_name(value):
        return _name_of(value)
    # `dataclasses.fields` omits class variables. Only `__dataclass_fields__` of the source class
    # has them, not that of a generated class.
    fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    inner = [f"{one.name}={describe_static(getattr(value, one.name))}" for one in fields]
    return f"{type(value).__qualname__}({', '.join(inner)})"


def _has_name(value: Any) -> bool:
    """Return whether a value is a function, class or enum member."""
    return hasattr(value, "__qualname__") or isinstance(value, enum.Enum)


def _name_of(value: Any) -> str:
    name = getattr(value, "__qualname__", getattr(value, "name", ""))
    # A default's lambda may have moved from the class into a function of the module.
    return f"{type(value).__qualname__} {'<lambda>' if '<lambda>' in str(name) else name}"


class ExpressionWriter:
    """Writes values as expressions, and collects the modules that these need."""

    def __init__(self) -> None:
        self.modules: dict[str, None] = {}

    def write(self, value: Any) -> str:
        """Return an expression.

        Raises:
            ValueError: there is none.
        """
        if value is None or type(value) in _SCALARS:
            return repr(value)
        if type(value) in (tuple, list):
            inner = ", ".join(map(self.write, value))
            return f"[{inner}]" if type(value) is list else f"({inner}{',' * (len(value) == 1)})"
        if type(value) is dict:
            items = (f"{self.write(key)}: {self.write(one)}" for key, one in value.items())
            return f"{{{', '.join(items)}}}"
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            return _write_array(value)
        if isinstance(value, enum.Enum):
            return f"{self._name(type(value))}.{value.name}"
        fields = getattr(value, "_fields", None)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = [one.name for one in dataclasses.fields(value) if one.init]
        if fields is not None:
            inner = ", ".join(f"{one}={self.write(getattr(value, one))}" for one in fields)
            return f"{self._name(type(value))}({inner})"
        if isinstance(value, tuple) or not callable(value):
            raise ValueError("no expression")  # noqa: TRY004 -- like other values without one
        return self._name(value)

    def _name(self, value: Any) -> str:
        module, name = value.__module__, value.__qualname__
        if "<" in name or module in (None, "__main__", "builtins"):
            raise ValueError("no name in a module")
        self.modules[module] = None
        return f"{module}.{name}"


def _write_array(value: Any) -> str:
    dtype = str(value.dtype)
    if dtype.startswith("key<"):
        return "jax.random.key(0)"
    module = "np" if type(value).__module__ == "numpy" else "jnp"
    concrete = sys.modules["numpy"].asarray(value)  # raises for tracers
    if concrete.size <= _ITEMS_MAX and "nan" not in str(concrete) and "inf" not in str(concrete):
        return f"{module}.asarray({concrete.tolist()}, {dtype!r})"
    return f"{module}.ones({concrete.shape}, {dtype!r})"
