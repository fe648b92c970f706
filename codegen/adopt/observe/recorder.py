"""Record the objects that a project's constructors create, inside the project's own processes.

`sitecustomize` loads this file by path when Python starts. So it imports nothing of codegen, and
nothing of the project before the project does. Each process writes its records to its own file:

    {"classes": {"heat.plate.Plate": {"types": {"u": ["array float32 strong jax 1"]},
                                      "objects": {key: made}, ...}},
     "ran": {"heat.plate:12:4:12:9": {"heat.plate.Plate": null}},
     "failures": {"4711:0": ["heat.plate.Plate", "tests/test_plate.py::test_u", "TypeError: ..."]}}

`key` contains the caller and the constructor's arguments. `made` describes the object: its leaves
in order with their avals, its static values, and whether it has a hash. Two runs are compared by
these keys. For `--prove`, the first arguments of each class are recorded as expressions too:

    {"heat.plate.Plate": {"arguments": [["u", "jnp.asarray([1.0], 'float32')"]], "calls": {}, "modules": {}}}
"""

from __future__ import annotations

import ast
import atexit
import builtins
import functools
import importlib.abc
import inspect
import json
import os
import sys
from collections import defaultdict
from typing import Any, Self

# It is loaded under another name, without codegen.
from . import failures
from .describe import (
    RECORDED,
    ExpressionWriter,
    apply_converters,
    ask_or_false,
    avals_of,
    describe_static,
    fields_of,
    kind_of,
    node_types,
    shapes_of,
)

_LAZY: dict[str, Any] = {}
if sys.version_info >= (3, 14):
    from annotationlib import Format

    # Annotations are evaluated when they are read. A missing name is then no error.
    _LAZY["annotation_format"] = Format.FORWARDREF

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
_RECORD_PLACE = "__codegen_record_place__"


class Recorder:
    """The records of one process."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.classes: dict[str, dict[str, dict[str, str]]] = config["classes"]
        self.out: str = config["out"]
        self.generated: str = config["generated"]
        self.interfaces: dict[str, list[str]] = config["interfaces"]
        self.has_arguments: bool = config["arguments"]
        self.places: dict[str, list[list[int]]] = config["places"]
        self.seen: dict[str, dict[str, Any]] = {}
        self.ran: dict[str, dict[str, None]] = {}
        self.treedefs: list[Any] = []
        self.wrapped: dict[str, Any] = {}
        self.is_busy = False
        self.constructors_running = 0  # number of running constructors

    def wrap(self, module: Any) -> None:
        """Record the classes of a module."""
        for name in self.classes.get(module.__name__, ()):
            cls = getattr(module, name, None)
            if isinstance(cls, type) and cls not in RECORDED:
                self._wrap(cls, f"{module.__name__}.{name}")

    def _wrap(self, cls: Any, full_name: str) -> None:
        self.wrapped[full_name] = cls
        RECORDED[cls] = full_name
        init = cls.__init__
        is_plain = init is object.__init__

        @functools.wraps(init)
        def recorded(obj: Any, /, *args: Any, **kwargs: Any) -> None:
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
            for name, method in [*vars(cls).items()] if self.has_arguments else ():
                if type(method).__name__ == "PjitFunction":
                    self._record_jitted(cls, name, method)
        except (AttributeError, TypeError):  # the class cannot be patched
            return

    def _record_replace(self, cls: Any, full_name: str) -> None:
        """Record what `replace` of a generated class returns: it skips the constructor."""
        own = cls.replace

        @functools.wraps(own)
        def replace(obj: Any, /, *args: Any, **kwargs: Any) -> Any:
            copy = own(obj, *args, **kwargs)
            if type(copy) is cls and copy is not obj and not self.is_busy:
                module, _, last = full_name.rpartition(".")
                held = {field: getattr(copy, field) for field in self.classes[module][last]}
                self._record_object(full_name, copy, (), held)
            return copy

        cls.replace = replace

    def _record_jitted(self, cls: Any, name: str, method: Any) -> None:
        """Record the arguments of the first call of a jitted method, as expressions."""

        @functools.wraps(method)
        def call(obj: Any, *args: Any, **kwargs: Any) -> Any:
            record = self._record_of(f"{type(obj).__module__}.{type(obj).__qualname__}")
            if name not in record["calls"]:
                with _Expressions(record) as writer:
                    texts = [*map(writer.write, args)]
                    texts += [f"{key}={writer.write(value)}" for key, value in kwargs.items()]
                    record["calls"][name] = ", ".join(texts)
            return method(obj, *args, **kwargs)

        setattr(cls, name, call)

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
                self._add_object(name, apply_converters(obj), caller, args, kwargs)
        except Exception:  # noqa: BLE001, S110 -- objects that cannot be inspected are not recorded
            pass
        finally:
            self.is_busy = False

    def _caller(self) -> str:
        """Return the function that created the object; empty if JAX did."""
        frame: Any = sys._getframe(3)  # noqa: SLF001 -- there is no other way to the caller
        while frame is not None:
            file = frame.f_code.co_filename
            is_ours = self.generated and self.generated in file
            if not (is_ours or _is_wrapper_file(file)):
                break
            frame = frame.f_back
        if frame is None:
            return ""
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] in ("jax", "jaxlib"):
            return ""
        return f"{module}:{self.original_name(module, frame.f_code.co_qualname)}"

    def original_name(self, module: str, name: str) -> str:
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
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        if test:
            known["tests"][test] = None
        if self.has_arguments and "arguments" not in known:
            with _Expressions(known) as writer:
                bound = inspect.signature(type(obj), **_LAZY).bind(*args, **kwargs).arguments
                known["arguments"] = [(key, writer.write(value)) for key, value in bound.items()]
        for field in fields:
            value = getattr(obj, field)
            types = known["types"].setdefault(field, {})
            if len(types) < _TYPES_MAX:
                types[kind_of(value)] = None
        if len(known["shapes"]) < _SHAPES_MAX:
            known["shapes"][json.dumps(shapes_of(obj, fields))] = None
        if len(known["objects"]) < _OBJECTS_MAX:
            avals = [
                *map(avals_of, args),
                *(f"{k}={avals_of(v)}" for k, v in sorted(kwargs.items())),
            ]
            key = json.dumps([caller, *avals])
            if key not in known["objects"]:
                held = [field for field, role in fields.items() if role == "static"]
                statics = {field: describe_static(getattr(obj, field)) for field in held}
                known["objects"][key] = self._describe_object(obj, statics)

    def _record_of(self, name: str) -> dict[str, Any]:
        return self.seen.setdefault(name, defaultdict(dict))

    def _describe_object(self, obj: Any, statics: dict[str, str]) -> dict[str, Any]:
        tree_util = sys.modules["jax"].tree_util
        leaves, treedef = tree_util.tree_flatten_with_path(obj)
        # JAX takes some treedefs of different classes for equal, but not those of generated classes.
        structure = (treedef, node_types(treedef))
        if structure not in self.treedefs:
            self.treedefs.append(structure)
        mapped = tree_util.tree_map(lambda leaf: leaf, obj)
        # A plain dataclass is not a pytree, so it is its own only leaf.
        is_leaf = len(leaves) == 1 and leaves[0][1] is obj
        shown = [[tree_util.keystr(path), avals_of(leaf)] for path, leaf in leaves]
        return {
            "leaves": [] if is_leaf else shown,
            "statics": statics,
            "hash": ask_or_false(lambda: bool(hash(obj)) or True),
            "equal": ask_or_false(lambda: bool(obj == mapped)),
            "kept": type(mapped) is type(obj) and fields_of(mapped) == fields_of(obj),
            "hollow": ask_or_false(lambda: tree_util.tree_map(lambda _: None, obj) is not None),
            "treedef": "" if is_leaf else f"{os.getpid()} {self.treedefs.index(structure)}",
        }

    def record_place(self, place: str, value: Any) -> Any:
        """Record that an expression ran, and the class of its object."""
        owners = self.ran.setdefault(place, {})
        for one in type(value).__mro__:
            if one in RECORDED:
                owners[RECORDED[one]] = None
        return value

    def clear(self) -> None:
        """Forget all records."""
        self.seen.clear()
        self.ran.clear()
        failures.FAILURES.clear()

    def save(self) -> None:
        """Write the records to a file of this process."""
        for name, cls in self.wrapped.items():
            heirs = {f"{one.__module__}.{one.__qualname__}": one for one in cls.__subclasses__()}
            others = {heir: one for heir, one in heirs.items() if heir not in self.wrapped}
            extended = [heir for heir, one in others.items() if _has_annotations(one)]
            if extended:
                self._record_of(name)["extended"] = dict.fromkeys(extended)
        path = os.path.join(self.out, f"{os.getpid()}.json")
        with open(path, "w", encoding="utf-8") as file:
            raised = {f"{os.getpid()}:{i}": one for i, one in enumerate(failures.FAILURES)}
            json.dump({"classes": self.seen, "ran": self.ran, "failures": raised}, file)


def _has_annotations(cls: Any) -> bool:
    """Return whether the body of a class has annotations. Python 3.14 would evaluate them."""
    return bool(getattr(cls, "__annotate__", None) or vars(cls).get("__annotations__"))


class _Expressions(ExpressionWriter):
    """Adds the modules of the expressions to a record, unless a value has no expression."""

    def __init__(self, record: dict[str, Any]) -> None:
        super().__init__()
        self._record = record

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        if kind is None:
            self._record["modules"].update(self.modules)
        return kind is not None and issubclass(kind, (TypeError, ValueError))


def _is_wrapper_file(file: str) -> bool:
    """Return whether a file is this one, or one of a library's constructor wrappers."""
    return file == __file__ or any(part in file for part in _WRAPPER_FILES)


class _PlaceRecorder(ast.NodeTransformer):
    """Wraps the expressions at these places in a call that records the object."""

    def __init__(self, module: str, places: set[tuple[int, ...]]) -> None:
        self._module = module
        self._places = places

    def visit(self, node: ast.AST) -> Any:
        """Visit the parts of a node, then wrap it if it is at one of the places."""
        if isinstance(node, ast.JoinedStr):  # before Python 3.12 it has no exact places
            return node
        self.generic_visit(node)
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store):
            return node
        place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        if place not in self._places:
            return node
        key = ast.Constant(f"{self._module}:{':'.join(map(str, place))}")
        name = ast.Name(_RECORD_PLACE, ast.Load())
        return ast.copy_location(ast.Call(name, [ast.copy_location(key, node), node], []), node)


class RecordingFinder(importlib.abc.MetaPathFinder):
    """Wraps other finders, and records the classes of a module after it has run."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """Return the spec that another finder has, with its loader wrapped."""
        if name not in self._recorder.classes and name not in self._recorder.places:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None and finder is not self else None
            if spec is not None and spec.loader is not None:
                self._around(spec.loader)
                if name in self._recorder.places and hasattr(spec.loader, "get_data"):
                    spec.loader.get_code = functools.partial(self._code, spec.loader)
                return spec
        return None

    def _code(self, loader: Any, name: str) -> Any:
        """Compile a module that records the objects of some expressions."""
        tree = ast.parse(loader.get_data(loader.get_filename(name)))
        wrapped = _PlaceRecorder(name, {tuple(one) for one in self._recorder.places[name]})
        tree = ast.fix_missing_locations(wrapped.visit(tree))
        return compile(tree, loader.get_filename(name), "exec", dont_inherit=True)

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
    failures.start(recorder)
    setattr(builtins, _RECORD_PLACE, recorder.record_place)
    atexit.register(recorder.save)
    # A child process of `multiprocessing` exits without its parent's `atexit` functions.
    os.register_at_fork(after_in_child=recorder.clear)
