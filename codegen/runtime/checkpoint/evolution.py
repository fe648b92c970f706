"""Between what a class declared when it was saved and what it declares now.

    Evolution(package, document["classes"], cast=False).plan("heat.Plate")
    # Plan({"temperature": Step("u", "same", ...), "t": Step("t", "number", ...)}, {})

It goes by the schemas alone, as `codegen breaking` does, which says the same of the two.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from .documents import CheckpointError
from .schemas import Entry, Package, schema_digest

_TOKEN: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[\w.:]+|[^\w\s]")
_NUMBERS: Final = frozenset(("int", "float", "complex", "bool"))
_DTYPE: Final = re.compile(r"(f|i|u|c|bf)(\d+)")
_STACKED: Final = re.compile(r"stacked\[(.*), \w+\]")
_TUPLE: Final = re.compile(r"tuple\[(.*), (?:\w+|\.\.\.)\]")


class Step(NamedTuple):
    """How a field of now comes from what was saved."""

    # The field that it was; "" where there was none.
    saved: str
    # "same", "number" (it moved between the trace key and the leaves), "stack", "unstack",
    # "cast", "default", "init"; or "required", "wider", "wrong", and what to write.
    how: str
    what: str = ""


class Plan(NamedTuple):
    """What becomes of the fields of a class."""

    steps: dict[str, Step]
    # The fields that are gone, and what to write; "" where they are reserved.
    gone: dict[str, str]
    # What makes today's entries of the saved ones, one after the other.
    migrations: tuple[str, ...] = ()


class Evolution:
    """The classes of a document, and what became of them."""

    def __init__(self, package: Package, classes: Any, *, cast: bool) -> None:
        if not isinstance(classes, dict) or not all(map(_is_entry, classes.values())):
            raise CheckpointError("`about` does not say what its classes were")
        self.package = package
        self.classes: dict[str, Entry] = classes
        self.cast = cast
        self.dims = self._dims()
        self.plans: dict[str, Plan] = {}

    def plan(self, name: str) -> Plan:
        """Return what becomes of the fields of a saved class."""
        if name not in self.plans:
            self.plans[name] = self._plan(name)
        return self.plans[name]

    def _plan(self, name: str) -> Plan:
        saved, now = self.classes[name], self.package.entry(self.package.now(name))
        found = schema_digest(saved)
        since = [one.partition(" ") for one in now.get("migrations", ())]
        starts = [
            i for i, (digits, _, _) in enumerate(since) if found.startswith(digits)
        ]
        if starts:
            return Plan({}, {}, tuple(path for _, _, path in since[starts[0] :]))
        remedy = f'write `migrate(since="{found[:8]}")` in the class'
        names = self._names(saved["fields"], now["fields"], now.get("former", {}))
        steps: dict[str, Step] = {}
        for field, declared in now["fields"].items():
            if field not in names:
                steps[field] = Step("", _new(field, now), remedy)
                continue
            before = saved["fields"][names[field]]
            how = self._how(name, before, declared)
            advice = "give `cast=True` to widen it, or " if how == "wider" else ""
            what = f"was `{before}`, and is `{declared}` now: {advice}{remedy}"
            steps[field] = Step(names[field], how, what)
        kept = {*names.values()}
        gone = {
            field: ""
            if field in now.get("reserved", ())
            else f"is no field of it now: if it is called otherwise, write `# codegen: "
            f'was[{field}]` behind it; if it may go, `reserved("{field}")` in the class; else {remedy}'
            for field in saved["fields"]
            if field not in kept
        }
        if self._shares(saved) != self._shares(now):
            what = f"other paths of the class were shared: {remedy}"
            for first in [*steps][:1]:
                steps[first] = Step(steps[first].saved, "wrong", what)
        return Plan(steps, gone)

    def _names(
        self, saved: dict[str, str], now: dict[str, str], former: dict[str, str]
    ) -> dict[str, str]:
        """Return what each field was called, of those that there were."""
        found: dict[str, str] = {}
        for old, field in former.items():
            if old in saved and field in now and field not in saved:
                found.setdefault(field, old)
        # What has that name now is another field.
        kept = now.keys() & saved.keys() - {*found.values()}
        return found | {field: field for field in kept}

    def _shares(self, entry: Entry) -> list[str]:
        return sorted(entry.get("shares", ()))

    def _how(self, name: str, before: str, after: str) -> str:
        """Return how a value of one declaration becomes one of another."""
        role, _, old = before.partition(" ")
        new_role, _, new = after.partition(" ")
        old, new = self._then(name, old), self._now(name, new)
        if (role == "static") != (new_role == "static"):
            return "number" if _is_number(old) and _is_number(new) else "wrong"
        if old == new or {*members(old)} <= {*members(new)} or new == "Any":
            return "same"
        stacked, listed = _STACKED.fullmatch(new), _TUPLE.fullmatch(old)
        if stacked and listed and stacked[1] == listed[1]:
            return "stack"
        stacked, listed = _STACKED.fullmatch(old), _TUPLE.fullmatch(new)
        if stacked and listed and stacked[1] == listed[1]:
            return "unstack"
        if role != "static" and _is_wider(old, new):
            return "cast" if self.cast else "wider"
        return "wrong"

    def _then(self, name: str, text: str) -> str:
        """Return a saved type in words of now; a parameter by its position."""
        parameters = self.classes[name].get("parameters", [])
        dims = self.dims[self.package.now(name).rpartition(".")[0]]
        words = (_position(parameters, one) for one in _TOKEN.findall(text))
        return _joined([dims.get(one, self.package.now(one)) for one in words])

    def _now(self, name: str, text: str) -> str:
        parameters = self.package.entry(self.package.now(name)).get("parameters", [])
        return _joined([_position(parameters, one) for one in _TOKEN.findall(text)])

    def _dims(self) -> dict[str, dict[str, str]]:
        """Return, by module, what dimensions are called now that were called otherwise."""
        table = self.package.table
        modules = {name: one["dims"] for name, one in table.items() if "dims" in one}
        said = {
            old: name
            for dims in modules.values()
            for name, was in dims.items()
            for old in was
        }
        known = {name for dims in modules.values() for name in dims}
        found: dict[str, dict[str, str]] = {}
        for name, saved in self.classes.items():
            module = self.package.now(name).rpartition(".")[0]
            used = _words(self.classes, module)
            now = _words(table, module)
            own = found.setdefault(
                module, {o: n for o, n in said.items() if o not in now}
            )
            fields = self.package.entry(self.package.now(name)).get("fields", {})
            for field in fields.keys() & saved["fields"].keys():
                for old, new in _met(saved["fields"][field], fields[field]):
                    is_free = old not in now and new not in used | {*own.values()}
                    if new in known and is_free:
                        own.setdefault(old, new)
        return found


def _new(field: str, now: Entry) -> str:
    """Return where the value of a field comes from that there was not."""
    found = (how for how in ("default", "init") if field in now.get(how, ()))
    return next(found, "required")


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("fields"), dict):
        return False
    lists = [entry.get(name, []) for name in ("parameters", "shares")]
    texts = [
        *entry["fields"].values(),
        *(one for each in lists if isinstance(each, list) for one in each),
    ]
    return all(isinstance(each, list) for each in lists) and all(
        isinstance(one, str) for one in texts
    )


def _words(entries: dict[str, Entry], module: str) -> set[str]:
    """Return all words of the types of a module's classes."""
    classes = (
        one for name, one in entries.items() if name.rpartition(".")[0] == module
    )
    types = (text for one in classes for text in one.get("fields", {}).values())
    return {word for text in types for word in _TOKEN.findall(text)}


def _met(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield the names that stand in one place of two types which differ by names alone."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    if len(before) == len(after):
        yield from ((a, b) for a, b in zip(before, after, strict=True) if a != b)


def members(text: str) -> Iterator[str]:
    """Yield the members of a union, and the values of a literal one by one."""
    depth, found = 0, list[str]()
    for word in [*_TOKEN.findall(text), "|"]:
        depth += (word == "[") - (word == "]")
        if word == "|" and not depth:
            is_literal = found[:2] == ["Literal", "["]
            inside = [one for one in found[2:-1] if one != ","]
            yield from (
                (f"Literal[{one}]" for one in inside)
                if is_literal
                else [_joined(found)]
            )
            found = []
        else:
            found.append(word)


def _position(parameters: list[str], word: str) -> str:
    return f"#{parameters.index(word)}" if word in parameters else word


def _joined(tokens: list[str]) -> str:
    return (
        " ".join(tokens)
        .replace("[ ", "[")
        .replace(" ]", "]")
        .replace(" [", "[")
        .replace(" ,", ",")
    )


def _is_number(declared: str) -> bool:
    return declared in _NUMBERS or bool(_DTYPE.fullmatch(declared))


def _is_wider(old: str, new: str) -> bool:
    """Tell whether two types differ by dtypes alone, of which the new ones are wider."""
    met = [*_met(old, new)]
    pairs = [(_DTYPE.fullmatch(a), _DTYPE.fullmatch(b)) for a, b in met]
    return (
        bool(met)
        and len(_TOKEN.findall(old)) == len(_TOKEN.findall(new))
        and all(
            a and b and a[1].strip("b") == b[1].strip("b") and int(a[2]) < int(b[2])
            for a, b in pairs
        )
    )
