"""Record the arguments of a project's constructors, inside the project's own processes.

`sitecustomize` loads this file by path when Python starts. So it imports nothing of codegen, and
nothing of the project before the project does. Each process writes its records to its own file:

    {"heat.plate.Plate": {"types": {"u": ["array float32 strong jax 1"]}, "objects": {key: made}, ...}}

`key` contains the caller and the constructor's arguments. `made` describes the object: its leaves
in order with their avals, its static values, and whether it has a hash. Two runs are compared by
these keys.
"""

from __future__ import annotations

import atexit
import dataclasses
import functools
import importlib.abc
import inspect
import json
import os
import sys
from typing import Any

# Files between a caller and the constructor: `replace`, and wrappers of libraries.
_WRAPPER_FILES = (
    "_collections_abc",
    "dataclasses.py",
    "flax/struct.py",
    "chex/_src/dataclass.py",
    "equinox/_module/",
    "jax_dataclasses/",
    "penzai/core/struct.py",
    "simple_pytree/",
)
# Modules in which JAX flattens tuples that are pytrees, as it also flattens generated classes.
_FLATTENING = ("jax._src.tree_util", "jax.tree_util")
_OBJECTS_MAX = 400
_TYPES_MAX = 60
_SHAPES_MAX = 200
_SCALARS = (bool, int, float, complex, str, bytes)
_RECORDED: set[type] = set()
"""The classes whose constructors are; their objects may be called like functions."""


class Recorder:
    """The records of one process."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.classes: dict[str, dict[str, dict[str, str]]] = config["classes"]
        self.out: str = config["out"]
        self.generated: str = config["generated"]
        self.interfaces: dict[str, list[str]] = config["interfaces"]
        self.seen: dict[str, dict[str, Any]] = {}
        self.treedefs: list[Any] = []
        self.wrapped: dict[str, Any] = {}
        self.is_busy = False
        self.constructors_running = 0  # number of running constructors

    def wrap(self, module: Any) -> None:
        """Record the classes of a module."""
        for name in self.classes[module.__name__]:
            cls = getattr(module, name, None)
            if isinstance(cls, type):
                self._wrap(cls, f"{module.__name__}.{name}")

    def _wrap(self, cls: Any, full_name: str) -> None:
        self.wrapped[full_name] = cls
        _RECORDED.add(cls)
        init = cls.__init__
        is_plain = init is object.__init__

        @functools.wraps(init)
        def recorded(obj: Any, *args: Any, **kwargs: Any) -> None:
            if not is_plain:
                self.constructors_running += 1
                try:
                    init(obj, *args, **kwargs)
                finally:
                    self.constructors_running -= 1
            if type(obj) is cls and not self.is_busy:
                self._record_object(full_name, obj, args, kwargs)

        try:
            cls.__init__ = recorded
            for name in ("__hash__", "__eq__") if not self.generated else ():
                note = functools.partial(self._record_operator, full_name, name)
                self._record_calls(cls, name, vars(cls).get(name), note)
            if self.generated and hasattr(cls, "replace"):
                self._record_replace(cls, full_name)
            for name in self.interfaces.get(full_name, ()):
                note = functools.partial(self._record_use, full_name, name)
                self._record_calls(cls, name, getattr(cls, name, None), note)
        except (AttributeError, TypeError):  # the class cannot be patched
            return

    def _record_replace(self, cls: Any, full_name: str) -> None:
        """Record what `replace` of a generated class returns: it skips the constructor."""
        own = cls.replace

        @functools.wraps(own)
        def replace(obj: Any, *args: Any, **kwargs: Any) -> Any:
            copy = own(obj, *args, **kwargs)
            if type(copy) is cls and copy is not obj and not self.is_busy:
                module, _, last = full_name.rpartition(".")
                held = {field: getattr(copy, field) for field in self.classes[module][last]}
                self._record_object(full_name, copy, (), held)
            return copy

        cls.replace = replace

    def _record_calls(self, cls: Any, name: str, own: Any, note: Any) -> None:
        """Record the calls of a method."""
        if own is None:
            return

        @functools.wraps(own)
        def called(*args: Any, **kwargs: Any) -> Any:
            if not self.is_busy:
                note()
            return own(*args, **kwargs)

        is_bound = isinstance(inspect.getattr_static(cls, name), classmethod)
        setattr(cls, name, staticmethod(called) if is_bound else called)

    def _record_operator(self, full_name: str, name: str) -> None:
        self._record_of(full_name)["asked"][name] = None

    def _record_use(self, full_name: str, name: str) -> None:
        """Record where a library method of the class is called, unless a constructor assigns."""
        if name == "__setattr__" and self.constructors_running:
            return
        frame: Any = sys._getframe(2)  # noqa: SLF001 -- there is no other way to the caller
        while frame is not None and _is_wrapper_file(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is not None and frame.f_globals.get("__name__") not in _FLATTENING:
            place = f"{os.path.relpath(frame.f_code.co_filename)}:{frame.f_lineno}"
            self._record_of(full_name)["used"].setdefault(name, place)

    def _record_object(self, name: str, obj: Any, args: Any, kwargs: Any) -> None:
        self.is_busy = True
        try:
            caller = self._caller()
            if caller:
                self._add_object(name, _apply_converters(obj), caller, args, kwargs)
        except Exception:  # noqa: BLE001, S110 -- objects that cannot be inspected are not recorded
            pass
        finally:
            self.is_busy = False

    def _caller(self) -> str:
        """Return the function that created the object; empty if JAX did."""
        frame: Any = sys._getframe(3)  # noqa: SLF001 -- there is no other way to the caller
        while frame is not None:
            file = frame.f_code.co_filename
            is_ours = self.generated and self.generated in file.replace(os.sep, "/")
            if not (is_ours or _is_wrapper_file(file)):
                break
            frame = frame.f_back
        if frame is None:
            return ""
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] in ("jax", "jaxlib"):
            return ""
        return f"{module}:{self._original_name(module, frame.f_code.co_qualname)}"

    def _original_name(self, module: str, name: str) -> str:
        """Return the name of a function before its class became a mixin."""
        first, dot, rest = name.partition(".")
        for cls in self.classes.get(module, ()):
            plain = cls.lstrip("_")
            if first == f"_{plain}{'_' * (len(cls) - len(plain))}Methods":
                first = cls
        return f"{first}{dot}{rest}".replace("__check_init__", "__post_init__")

    def _add_object(self, name: str, obj: Any, caller: str, args: Any, kwargs: Any) -> None:
        module, _, last = name.rpartition(".")
        fields = self.classes[module][last]
        known = self._record_of(name)
        for field in fields:
            value = getattr(obj, field)
            types = known["types"].setdefault(field, {})
            if len(types) < _TYPES_MAX:
                types[_kind(value)] = None
        if len(known["shapes"]) < _SHAPES_MAX:
            known["shapes"][json.dumps(_shapes(obj, fields))] = None
        if len(known["objects"]) < _OBJECTS_MAX:
            avals = [*map(_avals, args), *(f"{k}={_avals(v)}" for k, v in sorted(kwargs.items()))]
            key = json.dumps([caller, *avals])
            if key not in known["objects"]:
                held = [field for field, role in fields.items() if role == "static"]
                statics = {field: _describe_static(getattr(obj, field)) for field in held}
                known["objects"][key] = self._describe_object(obj, statics)

    def _record_of(self, name: str) -> dict[str, Any]:
        names = ("types", "shapes", "objects", "asked", "used")
        tables: dict[str, Any] = {table: {} for table in names}
        return self.seen.setdefault(name, {**tables, "extended": []})

    def _describe_object(self, obj: Any, statics: dict[str, str]) -> dict[str, Any]:
        tree_util = sys.modules["jax"].tree_util
        leaves, treedef = tree_util.tree_flatten_with_path(obj)
        if treedef not in self.treedefs:
            self.treedefs.append(treedef)
        mapped = tree_util.tree_map(lambda leaf: leaf, obj)
        # A plain dataclass is not a pytree, so it is its own only leaf.
        is_leaf = len(leaves) == 1 and leaves[0][1] is obj
        shown = [[tree_util.keystr(path), _avals(leaf)] for path, leaf in leaves]
        return {
            "leaves": [] if is_leaf else shown,
            "statics": statics,
            "hash": _ask_or_false(lambda: bool(hash(obj)) or True),
            "equal": _ask_or_false(lambda: bool(obj == mapped)),
            "kept": type(mapped) is type(obj) and _fields_of(mapped) == _fields_of(obj),
            "hollow": _ask_or_false(lambda: tree_util.tree_map(lambda _: None, obj) is not None),
            "treedef": "" if is_leaf else f"{os.getpid()} {self.treedefs.index(treedef)}",
        }

    def save(self) -> None:
        """Write the records to a file of this process."""
        for name, cls in self.wrapped.items():
            heirs = {f"{one.__module__}.{one.__qualname__}": one for one in cls.__subclasses__()}
            others = {heir: one for heir, one in heirs.items() if heir not in self.wrapped}
            extended = [heir for heir, one in others.items() if vars(one).get("__annotations__")]
            if extended:
                self._record_of(name)["extended"] = extended
        path = os.path.join(self.out, f"{os.getpid()}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.seen, file)


def _apply_converters(obj: Any) -> Any:
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


def _is_wrapper_file(file: str) -> bool:
    """Return whether a file is this one, or one of a library's constructor wrappers."""
    return file == __file__ or any(part in file.replace(os.sep, "/") for part in _WRAPPER_FILES)


def _fields_of(obj: Any) -> dict[str, str]:
    names = getattr(obj, "__dataclass_fields__", getattr(obj, "_fields", ()))
    return {name: _avals(getattr(obj, name, None)) for name in names}


def _ask_or_false(ask: Any) -> bool:
    """Return the answer of a class about its object; False if it raises."""
    try:
        answer: bool = ask()
    except Exception:  # noqa: BLE001 -- any error in a class
        return False
    return answer


def _shapes(obj: Any, fields: Any) -> dict[str, Any]:
    """Return the shapes of the fields that contain arrays."""
    shapes = {field: getattr(getattr(obj, field), "shape", None) for field in fields}
    return {
        field: shape
        for field, shape in shapes.items()
        if isinstance(shape, tuple) and all(type(one) is int for one in shape)
    }


def _kind(value: Any) -> str:
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
        return f"{cls.__name__} {json.dumps(sorted({_kind(one) for one in inner}))}"
    full_name = f"{cls.__module__}.{cls.__qualname__}"
    if isinstance(value, tuple) and any(_kind(one).startswith("identity") for one in value):
        return f"identity {full_name}"
    enum = sys.modules.get("enum")
    if enum is not None and isinstance(value, enum.Enum):
        return f"enum {full_name}"
    if callable(value) and _is_importable(value):
        return "function"
    hashes: Any = cls.__hash__
    is_function = callable(value) and not hasattr(cls, "__dataclass_fields__")
    if cls not in _RECORDED and (hashes is object.__hash__ or is_function):
        return f"identity {full_name}"
    return f"object {full_name}"


def _is_importable(value: Any) -> bool:
    """Return whether a function can be found under its module and name."""
    module = sys.modules.get(str(getattr(value, "__module__", "")))
    current: Any = module
    for name in str(getattr(value, "__qualname__", getattr(value, "__name__", ""))).split("."):
        current = getattr(current, name, None)
    return current is value


def _avals(value: Any) -> str:
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
    inner = [f"{tree_util.keystr(path)}: {_avals(leaf)}" for path, leaf in leaves]
    return f"{type(value).__name__}({', '.join(inner)})"


def _describe_static(value: Any) -> str:
    """Describe a static value so that two runs can be compared."""
    if value is None or type(value) in _SCALARS:
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_describe_static, value))})"
    if _has_name(value):
        return _name_of(value)
    # `dataclasses.fields` omits class variables. Only `__dataclass_fields__` of the source class
    # has them, not that of a generated class.
    fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    inner = [f"{one.name}={_describe_static(getattr(value, one.name))}" for one in fields]
    return f"{type(value).__qualname__}({', '.join(inner)})"


def _has_name(value: Any) -> bool:
    """Return whether a value is a function, class or enum member."""
    enum = sys.modules.get("enum")
    return hasattr(value, "__qualname__") or (enum is not None and isinstance(value, enum.Enum))


def _name_of(value: Any) -> str:
    name = getattr(value, "__qualname__", getattr(value, "name", ""))
    # A default's lambda may have moved from the class into a function of the module.
    return f"{type(value).__qualname__} {'<lambda>' if '<lambda>' in str(name) else name}"


class RecordingFinder(importlib.abc.MetaPathFinder):
    """Wraps other finders, and records the classes of a module after it has run."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """Return the spec that another finder has, with its loader wrapped."""
        if name not in self._recorder.classes:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None and finder is not self else None
            if spec is not None and spec.loader is not None:
                self._around(spec.loader)
                return spec
        return None

    def _around(self, loader: Any) -> None:
        run = loader.exec_module

        def exec_module(module: Any) -> None:
            run(module)
            self._recorder.wrap(module)

        loader.exec_module = exec_module


def start(path: str) -> None:
    """Start recording, as configured by the file at `path`."""
    with open(path, encoding="utf-8") as file:
        recorder = Recorder(json.load(file))
    sys.meta_path.insert(0, RecordingFinder(recorder))
    atexit.register(recorder.save)
    # A child process of `multiprocessing` exits without its parent's `atexit` functions.
    if hasattr(os, "register_at_fork"):  # Windows lacks it
        os.register_at_fork(after_in_child=recorder.seen.clear)
