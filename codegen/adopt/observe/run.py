"""Run a command of the project with recording, read defaults from the imported modules, compare two runs.

observe(found, ("pytest", "tests"))    ->    Observation(3, 0, (), {"heat.Plate": Seen({"u": {...}}, ...)})
compare_runs(before, after)
->    RunComparison(12, 0, (("heat.Plate", "created in tests.test_plate:test_step: the leaf ..."),))

Objects of two runs correspond if the same function created them from the same kinds of arguments.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import MsgspecError, Struct, convert, json, structs

from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.libraries import LIBRARIES

_VALUES_S_MAX = 600
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
        return frozenset(self.classes.get(name, ClassRecord()).types.get(field, ()))

    def shapes(self, name: str) -> tuple[dict[str, tuple[int, ...]], ...]:
        """Return the array shapes of each object of a class."""
        shapes = self.classes.get(name, ClassRecord()).shapes
        return tuple(json.decode(one, type=dict[str, tuple[int, ...]]) for one in shapes)

    def as_json(self) -> str:
        """Return the JSON that `codegen observe` writes."""
        return json.format(json.encode(self, order="sorted"), indent=1).decode() + "\n"

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
    others: Iterable[str] = (),
    has_arguments: bool = False,
) -> Observation:
    """Run the command, and record the constructors of these classes, and of `others`.

    Its output goes to standard error. `generated` is the folder of generated classes, if these are
    observed. `has_arguments` also records arguments as expressions.

    Raises:
        OSError: the command cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="codegen-observe-") as folder:
        out = os.path.join(folder, "seen")
        os.mkdir(out)
        config = os.path.join(folder, "config.json")
        where = os.path.abspath(generated) + "/" if generated else ""
        settings = {
            "classes": _roles_by_module(found, others),
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
        paths = [start, os.environ.get("PYTHONPATH")]
        plugins = [os.environ.get("PYTEST_PLUGINS"), "_codegen_observe.failures"]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "PYTEST_PLUGINS": ",".join(filter(None, plugins)),
            "CODEGEN_RECORD": _FOLDER,
            "CODEGEN_RECORD_CONFIG": config,
        }
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


def _roles_by_module(
    found: FoundClasses, others: Iterable[str] = ()
) -> dict[str, dict[str, dict[str, str]]]:
    """Return the role of each field, by module and class; none for other classes of the package."""
    classes: dict[str, dict[str, dict[str, str]]] = {}
    for module, _, name in (one.rpartition(".") for one in others):
        classes.setdefault(module, {})[name] = {}
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
        setters = set[str]() if one.is_frozen else {"__setattr__"}
        missing = {*LIBRARIES[one.library].interface, *setters}.difference(
            one.methods, found.all_fields(one)
        )
        if missing:
            interfaces[name] = sorted(missing)
    return interfaces


def _run(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, tuple[str, ...]]:
    """Return the exit status of a command, and the failed tests if pytest reports them."""
    failed: set[str] = set()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:  # noqa: S603 -- the user's command
        assert process.stdout is not None, "it was asked for"
        try:
            for line in process.stdout:
                os.write(2, line)  # standard error
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
    wanted = json.encode({"path": path, "classes": _roles_by_module(found)}).decode()
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
    text = done.stdout.partition("\ncodegen values ")[2].partition("\n")[0]
    return json.decode(text or "{}", type=dict[str, dict[str, dict[str, str]]])


_SHOWN_MAX = 50


class RunComparison(Struct, frozen=True):
    """The result of comparing two runs."""

    objects: int
    """The objects with a counterpart."""
    unmatched: int
    """The objects without one. In many libraries, unlike here, JAX also calls the constructor."""
    differences: tuple[tuple[str, str], ...]
    """Each with the class, which is empty if no class is known."""
    suspects: tuple[str, ...] = ()
    """If the command failed and an exception names no class: the classes that it can be about."""

    def lines(self) -> tuple[str, ...]:
        """Return the first differences as text."""
        shown = [f"`{name}`: {text}" if name else text for name, text in self.differences]
        more = len(shown) - _SHOWN_MAX
        return (*shown[:_SHOWN_MAX], *([f"and {more} more"] if more > 0 else []))


def compare_runs(before: Observation, after: Observation) -> RunComparison:
    """Compare the corresponding objects of each class, and the command's exit status."""
    compared = others = 0
    differences: list[tuple[str, str]] = []
    is_other = (before.status, before.failed) != (after.status, after.failed)
    if is_other:
        differences += (("", one) for one in _compare_outcomes(before, after))
        new = _new_failures(before, after)
        differences += dict.fromkeys((name, text) for name, _, text in new if name)
    for name, seen in before.classes.items():
        counterparts = after.classes.get(name, ClassRecord()).objects
        both = {key: old for key, old in seen.objects.items() if key in counterparts}
        compared += len(both)
        others += len(seen.objects) - len(both)
        if seen.objects and not both and not is_other:
            text = "the second run created no object that matches one of the first run"
            differences.append((name, text))
        for key, old in both.items():
            changes = _compare_objects(old, counterparts[key], seen)
            differences += [(name, f"created in {_creator(key)}: {one}") for one in changes]
        differences += [(name, one) for one in _compare_treedefs(both, counterparts)]
    if not compared and not differences:
        text = f"the command ended with exit status {after.status} and created no object to compare"
        differences.append(("", text))
    suspects = _find_suspects(before, after) if is_other else ()
    return RunComparison(compared, others, tuple(differences), suspects)


def _find_suspects(before: Observation, after: Observation) -> tuple[str, ...]:
    """Return the classes whose objects the tests created that now fail; else all classes."""
    tests = {test for name, test, _ in _new_failures(before, after) if not name}
    created = [name for name, one in before.classes.items() if not tests.isdisjoint(one.tests)]
    return tuple(created or before.classes)


def _new_failures(before: Observation, after: Observation) -> list[tuple[str, str, str]]:
    known = {*before.failed, *(test for _, test, _ in before.failures.values() if test)}
    return [one for one in after.failures.values() if one[1] not in known]


def _compare_outcomes(before: Observation, after: Observation) -> Iterator[str]:
    if before.status != after.status:
        yield f"the exit status of the command was {before.status} and is now {after.status}"
    for one in sorted({*before.failed} ^ {*after.failed}):
        yield (
            f"`{one}` failed before, but does not fail now"
            if one in before.failed
            else f"`{one}` did not fail before, but fails now"
        )


def _creator(key: str) -> str:
    """Return the function that created an object. Example: "tests.test_plate:test_step"."""
    return json.decode(key, type=list[str])[0]


def _compare_objects(
    old: ConstructorResult, new: ConstructorResult, seen: ClassRecord
) -> Iterator[str]:
    paths, now = ([path for path, _ in one.leaves] for one in (old, new))
    if paths != now:
        yield f"its leaves were {', '.join(paths)}, and are now {', '.join(now)}"
    else:
        for (path, was), (_, leaf) in zip(old.leaves, new.leaves, strict=True):
            if was != leaf:
                yield f"the leaf `{path}` was {was} and is now {leaf}"
    for name, was in old.statics.items():
        if new.statics.get(name) != was:
            yield f"the static field `{name}` was {was} and is now {new.statics.get(name)}"
    if "__hash__" in seen.asked and old.hash and not new.hash:
        yield "it had a hash, which the command used, and has none now"
    if "__eq__" in seen.asked and old.equal != new.equal:
        outcome = "no longer equal" if old.equal else "now equal"
        yield f"the command used `==`, and a copy with the same leaves is {outcome}"
    if old.kept and not new.kept:
        yield "`jax.tree.map` kept its class and fields, but no longer does"
    if old.hollow and not new.hollow:
        yield "`jax.tree.map` could replace its leaves by None, but no longer can"


def _compare_treedefs(
    objects: Mapping[str, ConstructorResult], counterparts: Mapping[str, ConstructorResult]
) -> Iterator[str]:
    """Yield objects whose treedefs were equal and now differ (each retraces), or the reverse."""
    both = [
        (key, one.treedef, counterparts[key].treedef) for key, one in objects.items() if one.treedef
    ]
    for was, now, side in (("equal", "different", 1), ("different", "equal", 2)):
        firsts: dict[object, tuple[str, str, str]] = {}
        for one in both:
            first = firsts.setdefault(one[side], one)
            other, known = one[3 - side], first[3 - side]
            # Treedefs from different processes cannot be compared.
            if other != known and other.split()[0] == known.split()[0]:
                makers = f"{_creator(first[0])} and {_creator(one[0])}"
                yield f"objects created in {makers} had {was} treedefs and now have {now} ones"
