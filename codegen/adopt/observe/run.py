"""Run a command of the project with recording, and read defaults from the imported modules.

observe(found, ("pytest", "tests"))    ->    Observation(3, 0, (), {"heat.Plate": Seen({"u": {...}}, ...)})
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import MsgspecError, Struct, convert, json, structs

from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.libraries import LIBRARIES

_VALUES_S_MAX = 600
_STANDARD_ERROR = 2
_SETTERS = frozenset(("__setattr__",))
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_FAILED = re.compile(r"(?:FAILED|ERROR) (\S+)")
_SITECUSTOMIZE = """\
import importlib
import importlib.machinery
import importlib.util
import os
import sys

# This folder of codegen, under another name: codegen itself may be missing here.
folder = os.environ["CODEGEN_RECORD"]
spec = importlib.util.spec_from_file_location(
    "_codegen_observe", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
)
sys.modules["_codegen_observe"] = importlib.util.module_from_spec(spec)
record = importlib.import_module("_codegen_observe.recorder")
record.start(os.environ["CODEGEN_RECORD_CONFIG"])

# The one that would have run in place of this.
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [one for one in sys.path if os.path.abspath(one) != here]
spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
if spec is not None:
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
"""


class ConstructorResult(Struct, frozen=True):
    """The description of a constructed object."""

    leaves: tuple[tuple[str, str], ...]
    """The path of each, and what it is. Example: ((".u", "jax float32[3]"),)"""
    statics: Mapping[str, str]
    hash: bool
    equal: bool
    """Whether it equals what `jax.tree.map` makes of its own leaves."""
    kept: bool
    """Whether `jax.tree.map` with the identity returns an object of the same class with equal fields."""
    hollow: bool
    """Whether `jax.tree.map` can replace all leaves by None."""
    treedef: str
    """The process id and the index of the treedef; empty if the object is a leaf."""


class ClassRecord(Struct, frozen=True):
    """The records of one class."""

    types: Mapping[str, Mapping[str, None]] = {}
    """By field, what it held; the tables without values are sets, in the order of a run."""
    shapes: Mapping[str, None] = {}
    objects: Mapping[str, ConstructorResult] = {}
    """By what the constructor was given."""
    asked: Mapping[str, None] = {}
    """The methods `__hash__` and `__eq__`, if the command called them."""
    extended: Mapping[str, None] = {}
    """The classes that derive from it outside the package and add fields."""
    used: Mapping[str, str] = {}
    """The methods of its library that were called, with the first place of each. Example: {"__iter__": "a.py:12"}"""
    arguments: tuple[tuple[str, str], ...] = ()
    """With `--prove`: the arguments of the first constructor call, as expressions."""
    calls: Mapping[str, str] = {}
    """With `--prove`: the arguments of the first call of each jitted method, as expressions."""
    modules: Mapping[str, None] = {}
    """The modules that these expressions need."""
    tests: Mapping[str, None] = {}
    """The tests of pytest that created objects. Example: "tests/test_plate.py::test_step"."""


class Observation(Struct, frozen=True):
    """The records of one run of a command."""

    version: Literal[5]  # of the format of this file
    status: int
    """The exit status of the command."""
    failed: tuple[str, ...]
    """The failed tests, as pytest names them. Example: ("tests/test_plate.py::test_step",)"""
    classes: Mapping[str, ClassRecord]
    ran: Mapping[str, Mapping[str, None]] = {}
    """By use in the source (`ObjectUse.key`) that ran, the classes of its objects."""
    failures: Mapping[str, tuple[str, str, str]] = {}
    """The exceptions: the class, the test, the text. Class and test can be empty."""

    def of(self, names: Container[str]) -> Observation:
        """Return the records of these classes only."""
        chosen = {name: one for name, one in self.classes.items() if name in names}
        return structs.replace(self, classes=chosen)

    def types(self, name: str, field: str) -> frozenset[str]:
        """Return the observed types of a field of a class."""
        seen = self.classes.get(name)
        return frozenset(seen.types.get(field, ())) if seen is not None else frozenset()

    def shapes(self, name: str) -> tuple[dict[str, tuple[int, ...]], ...]:
        """Return the array shapes of each object of a class."""
        seen = self.classes.get(name)
        shapes = seen.shapes if seen is not None else ()
        return tuple(json.decode(one, type=dict[str, tuple[int, ...]]) for one in shapes)

    def as_json(self) -> str:
        """Return the JSON that `codegen observe` writes."""
        text = json.format(json.encode(self, order="sorted"), indent=1)
        return text.decode() + "\n"

    @classmethod
    def load(cls, path: str) -> Observation:
        """Read a file that `codegen observe` wrote.

        Raises:
            ValueError: the file contains something else.
        """
        with open(path, "rb") as file:
            data = file.read()
        try:
            return json.decode(data, type=cls)
        except MsgspecError as error:
            raise ValueError(
                f"{path} is not a file that this version of `codegen observe` wrote"
            ) from error


def observe(
    found: FoundClasses,
    command: Sequence[str],
    generated: str = "",
    *,
    has_arguments: bool = False,
) -> Observation:
    """Run the command, and record the constructors of these classes.

    Its output goes to standard error. `generated` is the folder of generated classes, if these are
    observed. `has_arguments` also records arguments as expressions.

    Raises:
        OSError: the command cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="codegen-observe-") as folder:
        out = os.path.join(folder, "seen")
        os.mkdir(out)
        config = os.path.join(folder, "config.json")
        where = os.path.abspath(generated).replace(os.sep, "/") + "/" if generated else ""
        settings = {
            "classes": _roles_by_module(found),
            "out": out,
            "generated": where,
            "interfaces": {} if generated else _missing_members(found),
            "places": {} if generated else _places_of_uses(found),
            "arguments": has_arguments,
        }
        Path(config).write_bytes(json.encode(settings))
        start = os.path.join(folder, "start")
        os.mkdir(start)
        Path(start, "sitecustomize.py").write_text(_SITECUSTOMIZE, encoding="utf-8")
        paths = [start, *filter(None, [os.environ.get("PYTHONPATH", "")])]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "CODEGEN_RECORD": _FOLDER,
            "CODEGEN_RECORD_CONFIG": config,
        }
        plugins = [os.environ.get("PYTEST_PLUGINS", ""), "_codegen_observe.failures"]
        environment["PYTEST_PLUGINS"] = ",".join(filter(None, plugins))
        status, failed = _run(command, environment)
        record: dict[str, Any] = {"version": 5, "status": status, "failed": failed}
        record["classes"] = {}
        for name in sorted(os.listdir(out)):
            _merge(record, json.decode(Path(out, name).read_bytes()))
        return convert(record, Observation)


def _merge(record: dict[str, Any], other: dict[str, Any]) -> None:
    """Add the record of another process. Where both have a value, the first one counts."""
    for key, value in other.items():
        if isinstance(value, dict) and key in record:
            _merge(record[key], value)
        else:
            record.setdefault(key, value)


def _roles_by_module(found: FoundClasses) -> dict[str, dict[str, dict[str, str]]]:
    """Return the role of each field, by module and class."""
    classes: dict[str, dict[str, dict[str, str]]] = {}
    for one in found.classes.values():
        if "." not in one.name:
            roles: dict[str, str] = {
                name: each.role for name, each in found.all_fields(one).items()
            }
            classes.setdefault(one.module, {})[one.name] = roles
    return classes


def _places_of_uses(found: FoundClasses) -> dict[str, list[tuple[int, int, int, int]]]:
    """Return the expressions whose objects are recorded, by module."""
    places: dict[str, list[tuple[int, int, int, int]]] = {}
    for one in found.object_uses:
        if not one.is_vague:
            places.setdefault(one.module, []).append(one.place)
    return places


def _missing_members(found: FoundClasses) -> dict[str, list[str]]:
    """Return the members of each class that a generated class lacks.

    These are library methods, and attribute assignment if the class is not frozen.
    """
    interfaces: dict[str, list[str]] = {}
    for name, one in found.classes.items():
        interface = LIBRARIES[one.library].interface | (_SETTERS if not one.is_frozen else set())
        own = {*one.methods, *found.all_fields(one)}
        if interface - own:
            interfaces[name] = sorted(interface - own)
    return interfaces


def _run(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, tuple[str, ...]]:
    """Return the exit status of a command, and the failed tests if pytest reports them."""
    failed: set[str] = set()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:  # noqa: S603 -- the user's command
        assert process.stdout is not None, "it was asked for"
        try:
            for line in process.stdout:
                os.write(_STANDARD_ERROR, line)
                match = _FAILED.match(line.decode(errors="replace"))
                if match:
                    failed.add(match[1])
        except BaseException:
            process.kill()
            raise
    return process.returncode, tuple(sorted(failed))


def read_imported_values(found: FoundClasses, path: str) -> dict[str, dict[str, dict[str, str]]]:
    """Describe the fields of the imported modules, by class and in order.

    Each field has its default, as a literal or by name, and its type with absolute names. Modules
    that cannot be imported are omitted.
    """
    classes = _roles_by_module(found)
    if not classes:
        return {}
    wanted = json.encode({"path": path, "classes": classes}).decode()
    try:
        done = subprocess.run(  # noqa: S603 -- it runs a file in this folder
            [sys.executable, os.path.join(_FOLDER, "imported_fields.py")],
            input=wanted,
            capture_output=True,
            text=True,
            timeout=_VALUES_S_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {}
    for line in done.stdout.splitlines():
        if line.startswith("codegen values "):
            return json.decode(line[15:], type=dict[str, dict[str, dict[str, str]]])
    return {}
