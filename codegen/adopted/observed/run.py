"""Run a command of the project, recorded; and ask the imported modules for the values of defaults.

observe(found, ("pytest", "tests"))    ->    Observation(2, 0, {"heat.Plate": Seen({"u": {"array ...": None}}, ...)})
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import MsgspecError, Struct, json

from codegen.adopted.finding.fields import all_fields
from codegen.adopted.finding.nodes import Found

_VERSION = 2
_VALUES_S_MAX = 600
_STANDARD_ERROR = 2
_START = """\
import importlib.machinery
import importlib.util
import os
import sys

spec = importlib.util.spec_from_file_location("_codegen_record", os.environ["CODEGEN_RECORD"])
record = importlib.util.module_from_spec(spec)
spec.loader.exec_module(record)
record.start(os.environ["CODEGEN_RECORD_CONFIG"])

# The one that would have run in place of this.
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [one for one in sys.path if os.path.abspath(one) != here]
spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
if spec is not None:
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
"""


class Made(Struct, frozen=True):
    """What came of a constructor's arguments."""

    leaves: tuple[tuple[str, str], ...]
    """The path of each, and what it is. Example: ((".u", "jax float32[3]"),)"""
    statics: Mapping[str, str]
    hash: bool
    equal: bool
    """Whether it equals what `jax.tree.map` makes of its own leaves."""
    kept: bool
    """Whether that is of its class."""
    treedef: str
    """The process, and a number that equal treedefs have in common."""


class Seen(Struct, frozen=True):
    """What was seen of a class."""

    types: Mapping[str, Mapping[str, None]]
    """By field, what it held; the tables without values are sets, in the order of a run."""
    shapes: Mapping[str, None]
    objects: Mapping[str, Made]
    """By what the constructor was given."""
    asked: Mapping[str, None]
    """Those of `__hash__` and `__eq__` that the command called."""
    extended: tuple[str, ...]
    """The classes that derive from it outside the package and add fields."""


class Observation(Struct, frozen=True):
    """What was seen while a command ran."""

    version: int
    status: int
    """The exit status of the command."""
    classes: Mapping[str, Seen]

    def types(self, name: str, field: str) -> frozenset[str]:
        """What a field of a class held."""
        seen = self.classes.get(name)
        return frozenset(seen.types.get(field, ())) if seen is not None else frozenset()

    def shapes(self, name: str) -> tuple[dict[str, tuple[int, ...]], ...]:
        """The shapes of the arrays of each object of a class."""
        seen = self.classes.get(name)
        found = seen.shapes if seen is not None else ()
        return tuple(json.decode(one, type=dict[str, tuple[int, ...]]) for one in found)

    def as_json(self) -> str:
        """As `codegen observe` writes it."""
        text = json.format(json.encode(self, order="sorted"), indent=1)
        return text.decode() + "\n"

    @classmethod
    def load(cls, path: str) -> Observation:
        """Read what `codegen observe` wrote.

        Raises:
            ValueError: where the file holds something else.
        """
        with open(path, "rb") as file:
            data = file.read()
        try:
            if json.decode(data, type=_Versioned).version != _VERSION:
                raise ValueError(f"{path}: it is of another version of codegen: observe again")
            return json.decode(data, type=cls)
        except MsgspecError as error:
            raise ValueError(f"{path} is none that `codegen observe` wrote") from error


class _Versioned(Struct):
    version: int


def observe(found: Found, command: Sequence[str], generated: str = "") -> Observation:
    """Run the command with the constructors of these classes recorded.

    Its output goes to standard error. `generated` is the folder of generated classes, if these are observed.

    Raises:
        OSError: where the command cannot be run.
    """
    classes: dict[str, dict[str, dict[str, str]]] = {}
    for one in found.classes.values():
        if "." not in one.name:
            fields = all_fields(one, found.classes)
            roles: dict[str, str] = {name: each.role for name, each in fields.items()}
            classes.setdefault(one.module, {})[one.name] = roles
    with tempfile.TemporaryDirectory(prefix="codegen-observe-") as folder:
        out = os.path.join(folder, "seen")
        os.mkdir(out)
        config = os.path.join(folder, "config.json")
        where = os.path.abspath(generated).replace(os.sep, "/") + "/" if generated else ""
        _write(config, json.encode({"classes": classes, "out": out, "generated": where}).decode())
        start = os.path.join(folder, "start")
        os.mkdir(start)
        _write(os.path.join(start, "sitecustomize.py"), _START)
        record = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.py")
        paths = [start, *filter(None, [os.environ.get("PYTHONPATH", "")])]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "CODEGEN_RECORD": record,
            "CODEGEN_RECORD_CONFIG": config,
        }
        done = subprocess.run(command, env=environment, stdout=_STANDARD_ERROR, check=False)  # noqa: S603 -- the user's command
        return _merged(done.returncode, out)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _merged(status: int, folder: str) -> Observation:
    """What all processes of a command have seen."""
    classes: dict[str, Seen] = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            found = json.decode(file.read(), type=dict[str, Seen])
        for full_name, one in found.items():
            known = classes.get(full_name, Seen({}, {}, {}, {}, ()))
            fields = [*dict.fromkeys([*known.types, *one.types])]
            classes[full_name] = Seen(
                {each: {**known.types.get(each, {}), **one.types.get(each, {})} for each in fields},
                {**known.shapes, **one.shapes},
                {**one.objects, **known.objects},
                {**known.asked, **one.asked},
                (*known.extended, *one.extended),
            )
    return Observation(_VERSION, status, classes)


_VALUES = """\
import dataclasses, enum, importlib, json, sys

wanted = json.load(sys.stdin)
sys.path.insert(0, wanted["path"])
found = {}

def described(value):
    if isinstance(value, enum.Enum):
        return {"name": f"{type(value).__module__}:{type(value).__qualname__}.{value.name}"}
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return {"literal": repr(value)}
    if type(value) is tuple:
        parts = [described(one).get("literal") for one in value]
        if all(parts):
            return {"literal": "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"}
    name = getattr(value, "__qualname__", "")
    module = getattr(value, "__module__", None)
    if name.isidentifier() and getattr(sys.modules.get(module), name, None) is value:
        return {"name": f"{module}:{name}"}
    return {}

for module, classes in wanted["classes"].items():
    try:
        loaded = importlib.import_module(module)
        for name in classes:
            cls = getattr(loaded, name)
            fields = getattr(cls, "__dataclass_fields__", {})
            defaults = {k: f.default for k, f in fields.items()}
            defaults = defaults or dict(getattr(cls, "_field_defaults", {}))
            found[f"{module}.{name}"] = {
                key: described(value)
                for key, value in defaults.items()
                if value is not dataclasses.MISSING
            }
    except BaseException as error:
        print(f"{module}: {type(error).__name__}: {error}", file=sys.stderr)
print("codegen values " + json.dumps(found))
"""


def values_of(found: Found, path: str) -> dict[str, dict[str, dict[str, Any]]]:
    """What defaults are in the imported modules, by class and field; nothing of what cannot be imported."""
    classes: dict[str, list[str]] = {}
    for one in found.classes.values():
        if "." not in one.name and any(each.default is not None for each in one.fields):
            classes.setdefault(one.module, []).append(one.name)
    if not classes:
        return {}
    wanted = json.encode({"path": path, "classes": classes}).decode()
    try:
        done = subprocess.run(  # noqa: S603 -- what it runs stands above
            [sys.executable, "-c", _VALUES],
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
            return json.decode(line[15:], type=dict[str, dict[str, dict[str, Any]]])
    return {}
