"""Compare a class in two versions of the schemas, by their declarations.

    Evolution(saved, Declarations(now)).plan("heat.Plate")
    # FieldOrigins({"temperature": FieldOrigin("u", "same"), "t": FieldOrigin("t", "number")}, {})

`unpack` and `codegen breaking` both use this plan, so they agree. Types are compared as
texts. Nothing here imports JAX, since the compiler runs without it.
"""

import ast
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

_WORD: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[\w.:]+")
_TOKEN: Final = re.compile(rf"{_WORD.pattern}|[^\w\s]")
_DTYPE: Final = re.compile(r"(f|i|u|c|bf)(\d+)")
_NUMBER: Final = re.compile(rf"bool|int|float|complex|{_DTYPE.pattern}")
_LAYERS: Final = re.compile(r"(stacked|tuple)\[(.*), (?:\w+|\.\.\.)\]")


class FieldOrigin(NamedTuple):
    """How a current field gets its value from the saved fields."""

    # The saved field; "" if there is none.
    saved: str
    # "same", "number" (it moved between the trace key and the leaves), "stack",
    # "unstack", "cast", "default", "init"; "migrate" if only a function of the user can
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


class Evolution:
    """The saved classes, and their plans for the current schemas."""

    def __init__(
        self,
        classes: dict[str, Entry],
        declarations: Declarations,
        *,
        cast: bool = False,
        has_key: bool = False,
    ) -> None:
        self.classes = classes
        self.declarations = declarations
        self.cast = cast
        self.has_key = has_key
        self._plans: dict[str, FieldOrigins] = {}
        self._names: dict[str, dict[str, str]] = {}

    def plan(self, name: str) -> FieldOrigins:
        """Return the origins of the fields of a saved class."""
        if name not in self._plans:
            self._plans[name] = self._plan(name)
        return self._plans[name]

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
            parts.append(self._current_names(name).get(field, field))
            declared = self.classes.get(name, {}).get("fields", {}).get(field)
            name = parse_field(declared)[1].name if declared else ""
        return ".".join(parts)

    def _current_names(self, name: str) -> dict[str, str]:
        """Return the current names of a class's saved fields, by their saved names."""
        if name not in self._names and name in self.classes:
            saved, now = self.classes[name]["fields"], self.declarations.entry(name)
            names = former_names(saved, now.get("fields", {}), now.get("former", {}))
            self._names[name] = {old: new for new, old in names.items()}
        return self._names.get(name, {})

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
        dims = self._dims[current.rpartition(".")[0]]
        was, becomes = self.classes[name], self.declarations.entry(current)
        old = _rename_in_type(old, was, lambda one: dims.get(one, now(one)))
        new = _rename_in_type(new, becomes, str)
        wrong = f"was changed from `{before}` to `{after}`: "
        were, are = (", ".join(one.get("parameters", ())) for one in (was, becomes))
        if before == after and were != are:
            wrong = (
                f"is still `{after}`, but the parameters of the class were changed "
                f"from `{were}` to `{are}`: "
            )
        if (role == "static") != (new_role == "static"):
            is_number = all(map(_NUMBER.fullmatch, (old, new)))
            return ("number", "") if is_number else ("migrate", wrong)
        if new in (old, "Any") or _members(old) <= _members(new):
            return "same", ""
        some, others = _LAYERS.fullmatch(old), _LAYERS.fullmatch(new)
        if some and others and some[1] != others[1] and some[2] == others[2]:
            return "stack" if others[1] == "stacked" else "unstack", ""
        if role == "static" or not _is_wider(parse_type(old), parse_type(new)):
            return "migrate", wrong
        return "cast", "" if self.cast else f"{wrong}pass `cast=True` to widen it, or "

    @functools.cached_property
    def _dims(self) -> dict[str, dict[str, str]]:
        """The current names of renamed dimensions, by module."""
        table = self.declarations.table
        modules = [one.get("dims", {}) for one in table.values()]
        known = {dim for dims in modules for dim in dims}
        former = {old: dim for dims in modules for dim in dims for old in dims[dim]}
        then, today = _words_in_types(self.classes), _words_in_types(table)
        met: dict[str, list[tuple[str, str]]] = {}
        for name, saved in self.classes.items():
            module = self.declarations.now(name).rpartition(".")[0]
            pairs, now = met.setdefault(module, []), today.get(module, set())
            fields = self.declarations.entry(name).get("fields", {})
            for field in (one for one in saved["fields"] if one in fields):
                for old, new in name_pairs(saved["fields"][field], fields[field]):
                    # A size, or `...`, is not a name.
                    if old.isidentifier() and old not in now and new in known:
                        pairs.append((old, new))
        return {
            module: renamed_dims(
                then.get(module, set()), known & today.get(module, set()), former, pairs
            )
            for module, pairs in met.items()
        }


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
        met: pairs of a saved and a current name at one place
    """
    names = former_names(used, now, former)
    found = {old: dim for dim, old in names.items() if old != dim}
    while unmoved := [old for old in found if old in now and old not in found.values()]:
        for old in unmoved:
            del found[old]
    for old, new in met:
        is_free = new not in used and new not in found.values()
        if old not in now and old not in found and is_free:
            found[old] = new
    return found


def _words_in_types(entries: dict[str, Entry]) -> dict[str, set[str]]:
    """Return all words in the types of classes, by module."""
    by_module: dict[str, set[str]] = {}
    for name, one in entries.items():
        words = by_module.setdefault(name.rpartition(".")[0], set())
        words.update(*map(_TOKEN.findall, one.get("fields", {}).values()))
    return by_module


def name_pairs(old: str, new: str) -> list[tuple[str, str]]:
    """Return pairs of names at the same place of two types that differ only in names."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    pairs = zip(before, after, strict=False)
    return [(a, b) for a, b in pairs if a != b] if len(before) == len(after) else []


def _rename_in_type(text: str, entry: Entry, rename: Callable[[str], str]) -> str:
    """Return a type of a class with current names; a parameter is given by its
    position.
    """
    parameters = entry.get("parameters", [])

    def word(match: re.Match[str]) -> str:
        one = match[0]
        return f"__{parameters.index(one)}" if one in parameters else rename(one)

    return _WORD.sub(word, text)


def _members(text: str) -> set[str]:
    """Return the members of a union, and the values of a literal one by one."""
    return {format_type(one) for one in parse_type(text).members}


# --- entries


def schema_digest(entry: Entry) -> str:
    """Return the digest of a class's schema: fields, roles and types, but no values."""
    part = {k: one for k, one in saved_part(entry).items() if one}
    text = json.dumps(part, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def saved_part(entry: Entry) -> Entry:
    """Return the part of a class's schema that a checkpoint stores."""
    return {k: entry[k] for k in ("fields", "parameters", "shares") if k in entry}


# --- types


class Type(NamedTuple):
    """A declared type: a name with the types in its brackets; the name is `|` for a
    union.
    """

    name: str  # Example: "tuple", "heat.Block", "f32", "..."
    arguments: "tuple[Type, ...]" = ()
    value: Any = None  # the value of a literal

    @property
    def members(self) -> "tuple[Type, ...]":
        """The members of a union; any other type is its own only member."""
        return self.arguments if self.name == "|" else (self,)


def parse_field(text: str) -> tuple[bool, Type]:
    """Return whether a field is static, and its type. Example: "static int"."""
    role, _, declared = text.partition(" ")
    return role == "static", parse_type(declared)


@functools.cache
def parse_type(text: str) -> Type:
    """Return a declared type.

    Raises:
        ValueError: the text, from a checkpoint, is not a type
    """
    if len(text) > 100_000:
        raise ValueError("a type is too long")  # It would need too much memory.
    try:
        return _type(ast.parse(text, mode="eval").body)
    except (SyntaxError, MemoryError) as error:
        raise ValueError(f"{text[:60]!r} is not a type") from error


def _type(node: ast.expr) -> Type:
    match node:
        case ast.BinOp(left, ast.BitOr(), right):
            return Type("|", (*_type(left).members, *_type(right).members))
        case ast.Subscript(ast.Name("Literal"), inside):
            values = (
                Type("literal", (), ast.literal_eval(one)) for one in _items(inside)
            )
            return Type("|", tuple(values))
        case ast.Subscript(value, inside):
            return Type(ast.unparse(value), tuple(map(_type, _items(inside))))
        case _:
            return Type(ast.unparse(node))


def _items(inside: ast.expr) -> list[ast.expr]:
    return inside.elts if isinstance(inside, ast.Tuple) else [inside]


def format_type(declared: Type) -> str:
    """Format a type as in the schema."""
    if declared.name == "|":
        return " | ".join(map(format_type, declared.arguments))
    if declared.name == "literal":
        return repr(declared.value)
    inside = ", ".join(map(format_type, declared.arguments))
    return f"{declared.name}[{inside}]" if inside else declared.name


def _is_wider(old: Type, new: Type) -> bool:
    """Return whether two types differ only in dtypes, and the new ones are wider."""
    a, b = _DTYPE.fullmatch(old.name), _DTYPE.fullmatch(new.name)
    if a and b:
        is_wider = a[0] == b[0] or int(a[2]) < int(b[2])
        is_alike = a[1].strip("b") == b[1].strip("b")
        return is_alike and is_wider and old.arguments == new.arguments
    pairs = [*zip(old.arguments, new.arguments, strict=False)]
    is_alike = old.name == new.name and len(old.arguments) == len(new.arguments)
    return is_alike and all(_is_wider(one, other) for one, other in pairs)
