"""Between what a class declared when it was saved and what it declares now.

    Evolution(package, document["classes"], cast=False, has_key=False).plan("heat.Plate")
    # FieldOrigins({"temperature": FieldOrigin("u", "same"), "t": FieldOrigin("t", "number")}, {})

It goes by the schemas alone, as `codegen breaking` does, which says the same of the two.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ..keys.names import former_names
from ..shapes.check import SCALARS
from .documents import CheckpointError
from .fitting import text
from .schemas import Entry, Package, Type, parse, schema_digest

_WORD: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[\w.:]+")
_TOKEN: Final = re.compile(rf"{_WORD.pattern}|[^\w\s]")
_DTYPE: Final = re.compile(r"(f|i|u|c|bf)(\d+)")
_LAYERS: Final = re.compile(r"(stacked|tuple)\[(.*), (?:\w+|\.\.\.)\]")


class FieldOrigin(NamedTuple):
    """How a field of now comes from what was saved."""

    # The field that it was; "" where there was none.
    saved: str
    # "same", "number" (it moved between the trace key and the leaves), "stack", "unstack",
    # "cast", "default", "init".
    how: str


class FieldOrigins(NamedTuple):
    """What becomes of the fields of a class, by name."""

    steps: dict[str, FieldOrigin]
    # The fields of now or then of which nothing can be made, and what to write.
    wrong: dict[str, str]
    # What makes today's entries of the saved ones, one after the other.
    migrations: tuple[str, ...] = ()


class Evolution:
    """The classes of a document, and what became of them."""

    def __init__(
        self, package: Package, classes: Any, *, cast: bool, has_key: bool
    ) -> None:
        if not isinstance(classes, dict) or not all(map(_is_entry, classes.values())):
            raise CheckpointError("`about` does not say what its classes were")
        self.package = package
        self.classes: dict[str, Entry] = classes
        self.cast = cast
        self.has_key = has_key
        self.dims = self._dims()
        self.plans: dict[str, FieldOrigins] = {}

    def plan(self, name: str) -> FieldOrigins:
        """Return what becomes of the fields of a saved class."""
        if name not in self.plans:
            self.plans[name] = self._plan(name)
        return self.plans[name]

    def _plan(self, name: str) -> FieldOrigins:
        saved, now = self.classes[name], self.package.entry(name)
        found = schema_digest(saved)
        since = [one.partition(" ") for one in now.get("migrations", ())]
        for i, (digits, _, _) in enumerate(since):
            if found.startswith(digits):
                return FieldOrigins({}, {}, tuple(path for _, _, path in since[i:]))
        remedy = f'write `migrate(since="{found[:8]}")` in the class'
        names = former_names(saved["fields"], now["fields"], now.get("former", {}))
        plan = FieldOrigins({}, {})
        for field, after in now["fields"].items():
            if old := names.get(field, ""):
                how, what = self._how(name, saved["fields"][old], after)
            else:
                how, what = self._new(field, now)
            if what:
                plan.wrong[field] = what + remedy
            else:
                plan.steps[field] = FieldOrigin(old, how)
        class_name = re.split("[.:]", self.package.now(name))[-1]
        gone = saved["fields"].keys() - names.values() - {*now.get("reserved", ())}
        for field in gone:
            plan.wrong[field] = (
                f"({class_name}) is no field of it now: if it is called otherwise, write "
                f"`# codegen: was[{field}]` behind it; if it may go, "
                f'`reserved("{field}")` in the class; else {remedy}'
            )
        if sorted(saved.get("shares", ())) != sorted(now.get("shares", ())):
            for first in [*now["fields"]][:1]:
                plan.wrong[first] = f"other paths of the class were shared: {remedy}"
                plan.steps.pop(first, None)
        return plan

    def _new(self, field: str, now: Entry) -> tuple[str, str]:
        """Return where the value of a new field comes from, or what is wrong with it."""
        if field in now.get("default", ()):
            return "default", ""
        if field not in now.get("init", ()):
            return "", "is new, and has no default: give it one, or "
        lacks = "is new: give `key=`, by which its `init=` makes it, or "
        return "init", "" if self.has_key else lacks

    def _how(self, name: str, before: str, after: str) -> tuple[str, str]:
        """Return how a value of one declaration becomes one of another, or what is wrong."""
        role, _, old = before.partition(" ")
        new_role, _, new = after.partition(" ")
        now, current = self.package.now, self.package.now(name)
        dims = self.dims[current.rpartition(".")[0]]
        was, becomes = self.classes[name], self.package.entry(current)
        old = _renamed(old, was, lambda one: dims.get(one, now(one)))
        new = _renamed(new, becomes, str)
        wrong = f"was `{before}`, and is `{after}` now: "
        were, are = (", ".join(one.get("parameters", ())) for one in (was, becomes))
        if before == after and were != are:
            wrong = (
                f"is `{after}` as before, but the parameters of the class are `{are}` "
                f"now, and were `{were}`: "
            )
        if (role == "static") != (new_role == "static"):
            is_number = all(n in SCALARS or _DTYPE.fullmatch(n) for n in (old, new))
            return ("number", "") if is_number else ("", wrong)
        if new in (old, "Any") or _members(old) <= _members(new):
            return "same", ""
        some, others = _LAYERS.fullmatch(old), _LAYERS.fullmatch(new)
        if some and others and some[1] != others[1] and some[2] == others[2]:
            return "stack" if others[1] == "stacked" else "unstack", ""
        if role == "static" or not _is_wider(parse(old), parse(new)):
            return "", wrong
        return "cast", "" if self.cast else f"{wrong}give `cast=True` to widen it, or "

    def _dims(self) -> dict[str, dict[str, str]]:
        """Return, by module, what dimensions are called now that were called otherwise."""
        table = self.package.table
        modules = [one.get("dims", {}) for one in table.values()]
        known = {dim for dims in modules for dim in dims}
        said = {old: dim for dims in modules for dim in dims for old in dims[dim]}
        then, today = _words(self.classes), _words(table)
        found: dict[str, dict[str, str]] = {}
        for name, saved in self.classes.items():
            module = self.package.now(name).rpartition(".")[0]
            used, now = then.get(module, set()), today.get(module, set())
            own = found.setdefault(module, _dims_now(used, known & now, said))
            fields = self.package.entry(name).get("fields", {})
            for field in fields.keys() & saved["fields"].keys():
                for old, new in _met(saved["fields"][field], fields[field]):
                    is_free = old not in now and new not in used | {*own.values()}
                    if new in known and is_free:
                        own.setdefault(old, new)
        return found


def _dims_now(used: set[str], now: set[str], former: dict[str, str]) -> dict[str, str]:
    """Return what comments say: what dimensions are called that are not used any more."""
    names = former_names(used, now, former)
    own = {old: dim for dim, old in names.items() if old != dim}
    while kept := [old for old in own if old in now and old not in own.values()]:
        for old in kept:
            del own[old]
    return own


def _is_entry(entry: Any) -> bool:
    match entry:
        case {"fields": dict(fields)}:
            lists = [entry.get(name, []) for name in ("parameters", "shares")]
            texts = [fields.values(), *lists]
            return all(isinstance(one, list) for one in lists) and all(
                isinstance(one, str) for each in texts for one in each
            )
        case _:
            return False


def _words(entries: dict[str, Entry]) -> dict[str, set[str]]:
    """Return all words of the types of classes, by module."""
    found: dict[str, set[str]] = {}
    for name, one in entries.items():
        words = found.setdefault(name.rpartition(".")[0], set())
        words.update(*map(_TOKEN.findall, one.get("fields", {}).values()))
    return found


def _met(old: str, new: str) -> list[tuple[str, str]]:
    """Return the names that stand in one place of two types which differ by names alone."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    pairs = zip(before, after, strict=False)
    return [(a, b) for a, b in pairs if a != b] if len(before) == len(after) else []


def _renamed(said: str, entry: Entry, rename: Callable[[str], str]) -> str:
    """Return a type of a class in words of now; a parameter by its position."""
    parameters = entry.get("parameters", [])

    def word(match: re.Match[str]) -> str:
        one = match[0]
        return f"__{parameters.index(one)}" if one in parameters else rename(one)

    return _WORD.sub(word, said)


def _members(said: str) -> set[str]:
    """Return the members of a union, and the values of a literal one by one."""
    return {text(one) for one in parse(said).members}


def _is_wider(old: Type, new: Type) -> bool:
    """Tell whether two types differ by dtypes alone, of which the new ones are wider."""
    a, b = _DTYPE.fullmatch(old.name), _DTYPE.fullmatch(new.name)
    if a and b:
        is_wider = a[0] == b[0] or int(a[2]) < int(b[2])
        is_alike = a[1].strip("b") == b[1].strip("b")
        return is_alike and is_wider and old.arguments == new.arguments
    pairs = [*zip(old.arguments, new.arguments, strict=False)]
    is_alike = old.name == new.name and len(old.arguments) == len(new.arguments)
    return is_alike and all(_is_wider(one, other) for one, other in pairs)
