"""Run a command of the project, recorded; and ask the imported modules for the values of defaults.

observe(found, ("pytest", "tests"))    ->    Observation(types={"heat.Plate": {"u": {"array ..."}}}, ...)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from codegen.adopted.finding.fields import all_fields
from codegen.adopted.finding.nodes import Found

_VERSION = 1
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


class Observation(Struct, frozen=True):
    """What was seen while a command ran."""

    status: int
    """The exit status of the command."""
    types: Mapping[str, Mapping[str, frozenset[str]]]
    """By class and field."""
    objects: Mapping[str, Mapping[str, Any]]
    """By class, what the constructor was given and what came of it."""
    shapes: Mapping[str, Mapping[str, frozenset[tuple[int, ...]]]] = field(
        default_factory=dict[str, Any]
    )
    extended: Mapping[str, str] = field(default_factory=dict[str, str])
    """The classes that one outside the package derives from and adds fields to."""

    def as_json(self) -> str:
        """As `codegen observe` writes it."""
        types = {
            name: {one: sorted(seen) for one, seen in fields.items()}
            for name, fields in self.types.items()
        }
        shapes = {
            name: {one: sorted(seen) for one, seen in fields.items()}
            for name, fields in self.shapes.items()
        }
        document = {
            "version": _VERSION,
            "status": self.status,
            "types": types,
            "shapes": shapes,
            "objects": self.objects,
            "extended": self.extended,
        }
        return json.dumps(document, indent=1, sort_keys=True) + "\n"

    @classmethod
    def load(cls, path: str) -> Observation:
        """Read what `codegen observe` wrote.

        Raises:
            ValueError: where the file holds something else.
        """
        with open(path, encoding="utf-8") as file:
            try:
                read = json.load(file)
                if read["version"] != _VERSION:
                    raise ValueError(f"{path}: it is of another version of codegen: observe again")
                types = {
                    name: {one: frozenset(seen) for one, seen in fields.items()}
                    for name, fields in read["types"].items()
                }
                shapes = {
                    name: {one: frozenset(map(tuple, seen)) for one, seen in fields.items()}
                    for name, fields in read["shapes"].items()
                }
                return cls(read["status"], types, read["objects"], shapes, read["extended"])
            except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
                raise ValueError(f"{path} is none that `codegen observe` wrote") from error


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
        _write(config, json.dumps({"classes": classes, "out": out, "generated": where}))
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
    types: dict[str, dict[str, set[str]]] = {}
    shapes: dict[str, dict[str, set[tuple[int, ...]]]] = {}
    objects: dict[str, dict[str, Any]] = {}
    extended: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            seen = json.load(file)
        for full_name, one in seen.items():
            for each, kinds in one["types"].items():
                types.setdefault(full_name, {}).setdefault(each, set()).update(kinds)
            for each, found in one["shapes"].items():
                known = shapes.setdefault(full_name, {}).setdefault(each, set())
                known.update(tuple(json.loads(shape)) for shape in found)
            for heir in one["extended"]:
                extended.setdefault(full_name, heir)
            for key, made in one["objects"].items():
                # Treedefs are counted in each process by itself; a hash counts where somebody asks for it.
                counted = {
                    **made,
                    "treedef": f"{name} {made['treedef']}",
                    "asked": bool(one["hashed"]),
                }
                objects.setdefault(full_name, {}).setdefault(key, counted)
    return Observation(
        status,
        {name: {k: frozenset(v) for k, v in fields.items()} for name, fields in types.items()},
        objects,
        {name: {k: frozenset(v) for k, v in fields.items()} for name, fields in shapes.items()},
        extended,
    )


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
    wanted = json.dumps({"path": path, "classes": classes})
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
            values: dict[str, dict[str, dict[str, Any]]] = json.loads(line[15:])
            return values
    return {}
