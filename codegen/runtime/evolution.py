"""Compare a class in two versions of the schemas, by their declarations.

    Evolution(saved, Declarations(now)).plan("heat.Plate")
    # FieldOrigins({"temperature": FieldOrigin("u", "same"), "t": FieldOrigin("", "default")}, {})

`unpack` and `codegen breaking` both use this plan, so they agree. Types are compared as
texts: former names are replaced, word by word, and then the texts are equal, or differ
only in dtypes that became wider, or a function of the user converts the values. Nothing
here imports JAX, since the compiler runs without it.
"""

import functools
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from .renames import former_names

# A table of texts, and of lists and tables of texts.
Entry = dict[str, Any]

_QUOTED: Final = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_WORD: Final = re.compile(rf"{_QUOTED}|[\w.:]+")
_TOKEN: Final = re.compile(rf"{_QUOTED}|[\w.:]+|[^\w\s]")
_SUM: Final = re.compile(rf"{_QUOTED}|([\w#$]+)( [+*] )([\w#$]+)")
_DTYPE: Final = re.compile(r"b?([fiuc])(\d+)")
# The words of schemas in types; other words without a module name dimensions.
_VOCABULARY: Final = """
    _ Any Bool Callable Complex Float Inexact Int Literal Mapping None Num Real Sequence
    Shaped UInt bf16 bool bytes c128 c64 complex dict dtype f16 f32 f64 f8_e4m3b11fnuz
    f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz float frozendict frozenset i16 i2 i32 i4 i64
    i8 identity int key list stacked str tuple u16 u2 u32 u4 u64 u8
"""


class FieldOrigin(NamedTuple):
    """How a current field gets its value from the saved fields."""

    # The saved field; "" if there is none.
    saved: str
    # "same", "cast", "default", "init"; "migrate" if only a function of the user can
    # convert it.
    how: str


class FieldOrigins(NamedTuple):
    """The origins of the fields of a class, by field name."""

    origins: dict[str, FieldOrigin]
    # The current or saved fields without a value, with the advice for each.
    wrong: dict[str, str]
    # The entry of `migrate(since=...)` that matches the saved class.
    since: str
    # The functions that convert the saved entries to current ones, applied in order.
    migrations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declarations:
    """The current declarations of the schemas of a package."""

    table: dict[str, Entry]

    @functools.cached_property
    def former(self) -> dict[str, str]:
        """Former names of classes and enums, and their current names."""
        entries = self.table.items()
        return {old: name for name, one in entries for old in one.get("was", ())}

    def now(self, name: str) -> str:
        """Return the current name of a class or enum."""
        return name if name in self.table else self.former.get(name, name)

    def entry(self, name: str) -> Entry:
        """Return the declaration of a name."""
        return self.table.get(self.now(name), {})


@dataclass(frozen=True, eq=False)
class Evolution:
    """The saved classes, and their plans for the current schemas."""

    classes: dict[str, Entry]
    declarations: Declarations
    # Whether `cast=True` and `key=` were passed.
    cast: bool = False
    has_key: bool = False

    @functools.cached_property
    def plan(self) -> Callable[[str], FieldOrigins]:
        """The function that returns the origins of the fields of a saved class."""
        return functools.cache(self._plan)

    def _plan(self, name: str) -> FieldOrigins:
        saved, now = self.classes[name], self.declarations.entry(name)
        digest = schema_digest(saved)
        since = [one.partition(" ") for one in now.get("migrations", ())]
        for i, (digits, _, _) in enumerate(since):
            if digest.startswith(digits):
                paths = tuple(path for _, _, path in since[i:])
                return FieldOrigins({}, {}, digest[:8], paths)
        plan = FieldOrigins({}, {}, digest[:8])
        remedy = f'write `migrate(since="{plan.since}")` in the class'
        names = former_names(saved["fields"], now["fields"], now.get("former", {}))
        for field, after in now["fields"].items():
            if old := names.get(field, ""):
                how, what = self._conversion(name, saved["fields"][old], after)
            else:
                how, what = self._new(field, now)
            plan.origins[field] = FieldOrigin(old, how)
            if what:
                plan.wrong[field] = what + remedy
        class_name = re.split("[.:]", self.declarations.now(name))[-1]
        gone = saved["fields"].keys() - names.values() - {*now.get("reserved", ())}
        for field in gone:
            plan.wrong[field] = (
                f"is no longer a field of `{class_name}`. If it was renamed, write "
                f"`# codegen: was[{field}]` after the new name. If it was removed, "
                f'write `reserved("{field}")` in the class. Otherwise, {remedy}'
            )
        if sorted(self.shares(name)) != sorted(now.get("shares", ())):
            for first in [*now["fields"]][:1]:
                plan.wrong[first] = (
                    f"is in a class whose `share(...)` has changed: {remedy}"
                )
        return plan

    def saved_name(self, name: str, field: str) -> str:
        """Return the saved name of a field of a saved class. A name that was saved is
        its own.
        """
        saved: dict[str, str] = self.classes[name]["fields"]
        now = self.declarations.entry(name)
        if field in saved:
            return field
        names = former_names(saved, now.get("fields", {}), now.get("former", {}))
        found: str = names.get(field, field)
        return found

    def shares(self, name: str) -> list[str]:
        """Return the saved `share(...)` of a class, with the current names of fields."""
        saved: list[str] = self.classes[name].get("shares", [])
        return [
            " ".join(self._current_path(name, path) for path in paths.split(" "))
            for paths in saved
        ]

    def _current_path(self, name: str, path: str) -> str:
        """Return a saved path from a class, such as "decoder.w", with current names."""
        parts: list[str] = []
        for field in path.split("."):
            saved = self.classes.get(name, {}).get("fields", {})
            now = self.declarations.entry(name)
            names = former_names(saved, now.get("fields", {}), now.get("former", {}))
            parts.append(next((new for new in names if names[new] == field), field))
            words = _WORD.findall(saved.get(field, ""))
            name = next((word for word in words if word in self.classes), "")
        return ".".join(parts)

    def _new(self, field: str, now: Entry) -> tuple[str, str]:
        """Return the origin of a new field's value, or its problem."""
        if field in now.get("default", ()):
            return "default", ""
        if field not in now.get("init", ()):
            return "migrate", "is new and has no default: declare a default, or "
        lacks = "is new: pass `key=` to create it with its `init=`, or "
        return "init", "" if self.has_key else lacks

    def _conversion(self, name: str, before: str, after: str) -> tuple[str, str]:
        """Return how to convert a value from one declaration to another, or the
        problem.
        """
        role, _, old = before.partition(" ")
        new_role, _, new = after.partition(" ")
        now, current = self.declarations.now, self.declarations.now(name)
        was, becomes = self.classes[name], self.declarations.entry(current)
        names = {one: now(one) for one in _WORD.findall(old)}
        names |= self._dims[current.rpartition(".")[0]]
        old = rename_words(old, names | _positions(was))
        new = rename_words(new, _positions(becomes))
        is_static = "static" in (role, new_role)
        is_held = new in (old, "Any") or _alternatives(old) <= _alternatives(new)
        if is_held and (role == new_role or not is_static):
            return "same", ""
        wrong = f"was changed from `{before}` to `{after}`: "
        were, are = (", ".join(one.get("parameters", ())) for one in (was, becomes))
        if before == after and were != are:
            wrong = (
                f"is still `{after}`, but the parameters of the class were changed "
                f"from `{were}` to `{are}`: "
            )
        if is_static or not _is_wider(old, new):
            return "migrate", wrong
        return "cast", "" if self.cast else f"{wrong}pass `cast=True` to widen it, or "

    @functools.cached_property
    def _dims(self) -> dict[str, dict[str, str]]:
        """The current names of renamed dimensions, by module."""
        table, now = self.declarations.table, self.declarations.now
        modules = [one.get("dims", {}) for one in table.values()]
        former = {old: dim for dims in modules for dim in dims for old in dims[dim]}
        saved = {now(name): one for name, one in self.classes.items()}
        used, known = _dims_in_types(saved), _dims_in_types(table)
        met: dict[str, list[tuple[str, str]]] = {module: [] for module in used}
        for name, one in saved.items():
            fields = self.declarations.entry(name).get("fields", {})
            for field in (each for each in one["fields"] if each in fields):
                pairs = name_pairs(one["fields"][field], fields[field])
                met[name.rpartition(".")[0]] += pairs
        return {
            module: renamed_dims(used[module], known.get(module, ()), former, pairs)
            for module, pairs in met.items()
        }


# --- types, as texts


def renamed_dims(
    used: Collection[str],
    now: Collection[str],
    former: Mapping[str, str],
    met: Iterable[tuple[str, str]],
) -> dict[str, str]:
    """Return the new names of dimensions that are no longer used.

    A comment declares the new name. Otherwise it is the previously unused name at the
    first place where the old name was.

    Args:
        used: all names in the saved version
        now: all current names
        former: the current names by their former names, as declared in comments
        met: pairs of a saved and a current word at one place
    """
    names = former_names(used, now, former)
    found = {old: dim for dim, old in names.items() if old != dim}
    while unmoved := [old for old in found if old in now and old not in found.values()]:
        for old in unmoved:
            del found[old]
    for old, new in met:
        is_gone = old in used and old not in now and old not in found
        is_free = new in now and new not in used and new not in found.values()
        if is_gone and is_free:
            found[old] = new
    return found


def _dims_in_types(entries: dict[str, Entry]) -> dict[str, set[str]]:
    """Return the dimensions in the fields of classes, by module."""
    by_module: dict[str, set[str]] = {}
    for name, one in entries.items():
        types = (text.partition(" ")[2] for text in one.get("fields", {}).values())
        words = (word for text in types for word in _WORD.findall(text))
        others = {*_VOCABULARY.split(), *one.get("parameters", ())}
        dims = {word for word in words if word.isidentifier() and word not in others}
        by_module.setdefault(name.rpartition(".")[0], set()).update(dims)
    return by_module


def name_pairs(old: str, new: str) -> list[tuple[str, str]]:
    """Return pairs of names at the same place of two types that differ only in names."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    pairs = zip(before, after, strict=False)
    return [(a, b) for a, b in pairs if a != b] if len(before) == len(after) else []


def rename_words(text: str, names: Mapping[str, str]) -> str:
    """Return a text with other words, such as names of classes and dimensions."""
    renamed = _WORD.sub(lambda match: names.get(match[0], match[0]), text)
    # `n + 1` equals `1 + n`: the order of operands does not change a sum.
    return _SUM.sub(_sort_operands, renamed)


def _sort_operands(match: re.Match[str]) -> str:
    return match[2].join(sorted((match[1], match[3]))) if match[2] else match[0]


def _positions(entry: Entry) -> dict[str, str]:
    """Return the parameters of a class by name, each with a text of its position."""
    return {name: f"#{i}" for i, name in enumerate(entry.get("parameters", ()))}


def _alternatives(text: str) -> set[str]:
    """Return the members of a union, and the values of a literal one by one."""
    found: set[str] = set()
    for one in split_text(text, "|"):
        inside = one.removeprefix("Literal[")
        values = [] if inside == one else split_text(inside[:-1], ",")
        found |= {f"Literal[{value}]" for value in values} or {one}
    return found


def split_text(text: str, mark: str) -> list[str]:
    """Split a text at the marks that are not in brackets or quotes."""
    parts: list[str] = []
    depth = start = 0
    for match in _TOKEN.finditer(text):
        depth += (match[0] in ("[", "(")) - (match[0] in ("]", ")"))
        if match[0] == mark and not depth:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


def _is_wider(old: str, new: str) -> bool:
    """Return whether two types differ only in dtypes, and the new ones are wider."""
    pairs = [
        (_DTYPE.fullmatch(a), _DTYPE.fullmatch(b)) for a, b in name_pairs(old, new)
    ]
    return bool(pairs) and all(
        a and b and a[1] == b[1] and int(a[2]) < int(b[2]) for a, b in pairs
    )


# --- entries


def schema_digest(entry: Entry) -> str:
    """Return the digest of a class's schema: fields, roles and types, but no values."""
    part = {k: one for k, one in saved_part(entry).items() if one}
    text = json.dumps(part, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def saved_part(entry: Entry) -> Entry:
    """Return the part of a class's schema that a checkpoint stores."""
    return {k: entry[k] for k in ("fields", "parameters", "shares") if k in entry}
