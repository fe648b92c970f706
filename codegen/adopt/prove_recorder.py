"""Record constructor and method arguments as Python expressions, inside the project's processes.

`sitecustomize` loads this file by path and extends `observe/recorder.py` with it. So it imports nothing of
codegen. It adds to the records of each class:

    {"heat.plate.Plate": {"arguments": {"u": "jnp.asarray([1.0, 2.0], 'float32')"}, "calls": {}, "modules": {}}}
"""

# ruff: noqa: SLF001 -- it extends a class of a file that imports nothing
from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
from typing import Any

_ITEMS_MAX = 64


def extend(recorder: Any) -> None:
    """Let a `Recorder` class record arguments too."""
    add_object, wrap = recorder._add_object, recorder._wrap

    def add(self: Any, name: str, obj: Any, caller: str, args: Any, kwargs: Any) -> None:
        record = self._record_of(name)
        if "arguments" not in record:
            writer = _ArgumentWriter()
            try:
                bound = inspect.signature(type(obj)).bind(*args, **kwargs).arguments
                record["arguments"] = {key: writer.write(value) for key, value in bound.items()}
                record.setdefault("modules", {}).update(writer.modules)
            except (TypeError, ValueError):  # an argument has no expression
                pass
        add_object(self, name, obj, caller, args, kwargs)

    def wrap_jitted(self: Any, cls: Any, full_name: str) -> None:
        wrap(self, cls, full_name)
        for name, method in [*vars(cls).items()]:
            if type(method).__name__ == "PjitFunction":
                setattr(cls, name, _recorded(self, name, method))

    recorder._add_object, recorder._wrap = add, wrap_jitted


def _recorded(recorder: Any, name: str, method: Any) -> Any:
    @functools.wraps(method)
    def call(obj: Any, *args: Any, **kwargs: Any) -> Any:
        cls = type(obj)
        record = recorder._record_of(f"{cls.__module__}.{cls.__qualname__}")
        calls = record.setdefault("calls", {})
        if name not in calls:
            writer = _ArgumentWriter()
            try:
                texts = [*map(writer.write, args)]
                texts += [f"{key}={writer.write(value)}" for key, value in kwargs.items()]
                calls[name] = ", ".join(texts)
                record.setdefault("modules", {}).update(writer.modules)
            except ValueError:  # an argument has no expression
                pass
        return method(obj, *args, **kwargs)

    return call


class _ArgumentWriter:
    """Writes values as expressions, and collects the modules that these need."""

    def __init__(self) -> None:
        self.modules: dict[str, None] = {}

    def write(self, value: Any) -> str:
        """Return an expression.

        Raises:
            ValueError: there is none.
        """
        if value is None or type(value) in (bool, int, float, complex, str, bytes):
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
    import numpy  # noqa: PLC0415 -- the project has imported it

    dtype = str(value.dtype)
    if dtype.startswith("key<"):
        return "jax.random.key(0)"
    module = "np" if type(value).__module__ == "numpy" else "jnp"
    concrete = numpy.asarray(value)  # raises for tracers
    if concrete.size <= _ITEMS_MAX and "nan" not in str(concrete) and "inf" not in str(concrete):
        return f"{module}.asarray({concrete.tolist()}, {dtype!r})"
    return f"{module}.ones({concrete.shape}, {dtype!r})"
