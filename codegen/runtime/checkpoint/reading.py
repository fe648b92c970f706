"""Read values from JSON and check them: arrays, static values, and containers of them.

    reader.static(["tuple", [1, ["float", "0x1.0000000000000p+0"]]], place)
    # (1, 1.0)

A wrong value raises `Wrong` with the reason. In a dynamic field the difference is
recorded by its path, and `WRONG` replaces the value, so one run finds all differences.
Each value is written again and compared, as `pack` writes only one text for it.
"""

import enum
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import jax
import numpy as np

from ..declared import Declared, Part, Shaped
from ..dims import stable_hash
from ..evolution import Entry
from ..frozen_dicts import frozendict
from ..keys.messages import shorten
from ..keys.names import KINDS, is_kind
from ..mesh.fingerprints import format_static
from ..sharing import HOLE
from ..statics.views import is_foreign_dataclass, is_named_tuple
from .differences import describe_difference, matches_itself, noun
from .documents import (
    MISFITS,
    Encoded,
    Wrong,
    are_pairs,
    canonical,
    from_stored,
    read_dtype,
    to_stored,
)
from .packing import NOTHING, Packing, has_exact_text, open_node, read, recreated
from .schemas import Package, item_type, members, stack_depth, type_text

# Replaces a value that could not be read. The difference is already recorded.
WRONG: Final = object()


class SavedPlace(NamedTuple):
    """The path of a value, and the requirements on the value there."""

    path: str
    declared: Declared = Any
    like: Any = NOTHING
    # What `init` folds into its key on the way here. A stack is given by its path.
    steps: tuple[int | str, ...] = ()
    # Whether dtypes are cast to wider ones.
    is_cast: bool = False
    # Whether a migration function gets the value, in its earlier form.
    is_migrating: bool = False

    def below(
        self, way: str, declared: Declared = Any, like: Any = NOTHING, step: Any = ()
    ) -> "SavedPlace":
        """Return the place of a part. Examples of a way: ".blocks", "[0]"."""
        path = f"{self.path}{way}".removeprefix(".")
        steps = (*self.steps, *step, *[path] * stack_depth(declared))
        return self._replace(path=path, declared=declared, like=like, steps=steps)

    def field(
        self, saved: str, name: str, declared: Declared, like: Any
    ) -> "SavedPlace":
        """Return the place of a field, by its saved and its current name."""
        return self.below(f".{saved}", declared, like, [stable_hash(name)])

    def item(self, way: str, key: Any, index: int) -> "SavedPlace":
        """Return the place of an item of a container, by its key or index."""
        like: Any = self.like
        is_indexed = isinstance(like, tuple | list) and key in range(len(like))
        is_there = is_indexed or (isinstance(like, dict) and key in like)
        below = like[key] if is_there else NOTHING
        return self.below(way, item_type(self.declared, index), below, [index])


class _Exact(Packing):
    """Writes values for comparison: those that no text identifies, by identity."""

    def encode_text(self, value: Any) -> list[Encoded]:
        text, *rest = super().encode_text(value)
        return [text, id(value)] if rest else [text]


class Reader:
    """Reads values of classes that are reachable from a package's schemas."""

    def __init__(
        self,
        package: Package,
        classes: Mapping[str, Entry],
        arrays: Mapping[str, Any],
        statics: Mapping[str, Any],
    ) -> None:
        self.package = package
        # The schemas of the classes when they were saved.
        self.classes = classes
        self.arrays = arrays
        # Values that no text can hold, by path.
        self.statics = statics
        # The paths of arrays and given values that were used.
        self.used: set[str] = set()
        self.differences: list[str] = []

    def object(self, place: SavedPlace, name: str, fields: dict[str, Encoded]) -> Any:
        """Return an object of a generated class."""
        raise NotImplementedError

    def note(self, path: str, what: str) -> Any:
        """Record a difference, unless one below its path is recorded already."""
        if what:
            self.differences.append(f"`{path}` {what}" if path else f"the state {what}")
        return WRONG

    def dynamic(self, code: Encoded, place: SavedPlace) -> Any:
        """Return a value of a dynamic field, or `WRONG` if a difference was recorded."""
        try:
            value = self._dynamic(code, place)
        except Wrong as wrong:
            return self.note(place.path, str(wrong))
        if place.like is not NOTHING and not matches_itself(value, place.like):
            return self.note(place.path, describe_difference(value, place.like))
        return value

    def _dynamic(self, code: Encoded, place: SavedPlace) -> Any:
        match code:
            case ["array", str(dtype), list(shape), dict(properties)]:
                return self._array(place, dtype, shape, properties)
            case ["object", str(name), dict(fields)]:
                return self.object(place, name, fields)
            case ["tuple" | "list" | "dict" | "namedtuple", _, *_]:
                return self.container(code, place, self.dynamic)
            case ["node", str(name), str(rest), list(items)] if are_pairs(items):
                return self._node(place, name, rest, items)
            case ["shared"]:
                return HOLE
            case None | bool() | int() | str():
                return self.static(code, place)
            case ["str" | "int" | "float" | "complex", *_]:
                return self.static(code, place)
            case _:
                raise Wrong(f"is {excerpt(code)}, which cannot be in a dynamic field")

    def _array(
        self, place: SavedPlace, dtype: str, shape: list[int], properties: Encoded
    ) -> Any:
        self.used.add(place.path)
        array = self.arrays.get(place.path)
        try:
            if array is None and 0 in shape:
                # Not every store keeps arrays without elements.
                array = np.zeros(shape, read_dtype(dtype))
            if array is None:
                raise Wrong(f"is missing in the arrays: it was saved as {dtype}{shape}")
            value = from_stored(array, dtype, shape, properties)
        except MISFITS as error:
            raise Wrong(str(error)) from None
        if canonical(to_stored(value)[1]) != canonical([dtype, shape, properties]):
            raise Wrong(
                f"is {noun(value)}, unlike its saved properties {excerpt(properties)}"
            )
        return _widen(value, place.declared) if place.is_cast else value

    def _node(
        self, place: SavedPlace, name: str, rest: str, items: list[Encoded]
    ) -> Any:
        like = place.like
        opened = None if like is NOTHING else open_node(like)
        if opened is None or self.package.name_of(type(like)) != name:
            raise Wrong(
                f"is a pytree of type `{name}`, which no schema declares: pass "
                "`like=`, a state with an object of this type at this path"
            )
        children, now = opened
        if (rest, [step for step, _ in items]) != (now, [step for step, _ in children]):
            raise Wrong(f"is a `{name}` whose structure differs from `like`")
        pairs = zip(items, children, strict=True)
        values = [
            self.dynamic(code, place.below(step, like=one))
            for (step, code), (_, one) in pairs
        ]
        require_read(values)
        structure: Any = jax.tree_util.tree_structure
        treedef = structure(like, is_leaf=lambda one: one is not like)
        return jax.tree_util.tree_unflatten(treedef, values)

    # --- static values

    def static(self, code: Encoded, place: SavedPlace) -> Any:
        """Return a static value: the one that was given for it, or the saved one."""
        given = self.statics.get(place.path, NOTHING)
        try:
            if given is not NOTHING and self.text(given, Packing) == canonical(code):
                self.used.add(place.path)
                return given
            match code:
                case ["object", str(name), dict(fields)]:
                    return self.object(place, name, fields)
                case ["tuple" | "frozenset" | "frozendict" | "namedtuple", _, *_]:
                    return self.container(code, place, self.static)
                case ["named", str(text), *rest] if rest in ([], ["one"]):
                    return self.resolve_given(place.path, text, is_one=not rest)
                case ["enum", str(name), str(text)]:
                    return self._member(name, text)
                case ["enum", str(name), ["value", number]]:
                    kind = self.found(name, _is_enum, "enum")
                    value = kind(self.static(number, place))
                case ["dataclass", str(name), dict(fields)]:
                    return self._dataclass(name, fields, place)
                case _ if (value := read(code)) is NOTHING:
                    raise Wrong(f"is {excerpt(code)}, which cannot be a static value")
        except MISFITS as error:
            raise Wrong(f"is {excerpt(code)}, which cannot be read: {error}") from None
        if self.text(value) != canonical(code):
            raise Wrong(f"is {excerpt(code)}, which `pack` does not write")
        return value

    def container(
        self,
        code: Encoded,
        place: SavedPlace,
        read_part: Callable[[Encoded, SavedPlace], Any],
    ) -> Any:
        """Return a container of values that a function reads."""
        parts = self.children(code, place)
        pairs = [(key, read_part(one, inner)) for key, inner, one in parts]
        require_read(one for _, one in pairs)
        table, items = dict(pairs), [one for _, one in pairs]
        if len(table) != len(pairs):
            raise Wrong("has a duplicate key")
        match code:
            case ["dict", _]:
                return table
            case ["frozendict", _]:
                return frozendict(table)
            case ["namedtuple", str(name), dict(fields)]:
                kind = self._tuple_class(name, place.like)
                if kind is not type(place.like):
                    kind = self.found(name, is_named_tuple, "named tuple")
                if {*kind._fields} != {*fields}:
                    has = ", ".join(kind._fields)
                    raise Wrong(f"is a `{name}`, which now has the fields {has}")
                return kind._make(items)
            case ["frozenset", _] if len(frozenset(items)) != len(items):
                raise Wrong("has a duplicate item")
            case [kind, *_]:
                return {"list": list, "frozenset": frozenset}.get(kind, tuple)(items)
            case _:
                raise AssertionError(code)  # Every container has children.

    def children(
        self, code: Encoded, place: SavedPlace
    ) -> Iterator[tuple[Any, SavedPlace, Encoded]]:
        """Yield the parts of a container or an object: the key, the place and the code
        of each.
        """
        match code:
            case ["object", str(name), dict(fields)]:
                for one, inner in fields.items():
                    # Of a type that only a saved class declares, the layers count.
                    text = self.classes[name]["fields"][one].partition(" ")[2]
                    words = text[:80].split("[")
                    opening = itertools.takewhile(lambda w: w == "stacked", words)
                    stack = Part(stacked=(*opening,))
                    yield one, place.field(one, one, stack, NOTHING), inner
            case ["tuple" | "list" | "frozenset", list(items)]:
                for i, one in enumerate(items):
                    yield i, place.item(f"[{i}]", i, i), one
            case ["dict" | "frozendict", list(pairs)] if are_pairs(pairs):
                expected = place.like if isinstance(place.like, dict) else {}
                known = {self.text(key): key for key in expected}
                for name, one in pairs:
                    # Use the same object: a look-up does not find another NaN.
                    key = known.get(canonical(name), NOTHING)
                    if key is NOTHING:
                        key = self.static(name, place._replace(like=NOTHING))
                    yield key, place.item(f"[{key!r}]", key, stable_hash(key)), one
            case ["namedtuple", str(name), dict(fields)]:
                names = getattr(self._tuple_class(name, place.like), "_fields", ())
                for i, one in enumerate(names if {*names} == {*fields} else fields):
                    yield one, place.item(f".{one}", i, i), fields[one]
            case _:
                raise Wrong(f"is {excerpt(code)}, not a list, a tuple or a dict")

    def _tuple_class(self, name: str, like: Any) -> Any:
        """Return the class of a named tuple: that of `like`, or a reachable one."""
        kind: Any = type(like)
        is_its = is_named_tuple(kind) and self.package.name_of(kind) == name
        return kind if is_its else self.package.find_class(name)

    def _member(self, name: str, text: str) -> Any:
        kind = self.found(name, _is_enum, "enum")
        try:
            return self.package.member(kind, text)
        except KeyError:
            known = ", ".join(kind.__members__)
            raise Wrong(
                f"is `{text}`, which `{name}` no longer has. It has {known}: if one was "
                f"renamed, write `# codegen: was[{text}]` after it"
            ) from None

    def _dataclass(
        self, name: str, fields: dict[str, Encoded], place: SavedPlace
    ) -> Any:
        kind = self.found(name, is_foreign_dataclass, "dataclass")
        items = {k: self.static(one, place.below(f".{k}")) for k, one in fields.items()}
        value = recreated(kind, items)
        if value is None:
            raise Wrong(f"is a `{name}`, which its constructor does not recreate")
        return value

    def resolve_given(self, path: str, code: str, *, is_one: bool) -> Any:
        """Return a given value for one of which only a text was saved."""
        known, at = self.statics, path
        if is_one and path not in known:
            # One given function may serve several fields, if its name identifies it.
            exact = (k for k in known if has_exact_text(known[k]))
            texts = {format_static(known[k], self.package.name): k for k in exact}
            at = texts.get(code, path)
        if at not in known:
            raise Wrong(
                f"is `{code}`, which cannot be restored from its text: pass "
                f"`statics={{{path!r}: ...}}`"
            )
        self.used.add(at)
        return known[at]

    def text(self, value: Any, packing: type[Packing] = _Exact) -> str:
        """Return the text of a static value, for comparison: `==` treats 1 as True."""
        return canonical(packing(self.package).static(value, ""))

    def found(self, name: str, is_one: Callable[[Any], bool], what: str) -> Any:
        """Return the class of a name, if it is of the expected kind."""
        kind = self.package.find_class(name)
        if not isinstance(kind, type) or not is_one(kind):
            called = name.replace(":", ".").rpartition(".")[2]
            raise Wrong(
                f"was saved as the {what} `{name}`, which no schema declares or "
                "imports: import its module first, or pass `like=`. If it was "
                f"renamed, write `# codegen: was[{called}]` after it"
            )
        return kind


def _widen(value: Any, declared: Declared) -> Any:
    """Return an array in the dtype that a type declares for its kind."""
    kinds = np.floating, np.signedinteger, np.unsignedinteger, np.complexfloating
    dtypes = (one.dtype for one in members(declared) if isinstance(one, Shaped))
    for dtype in (np.dtype(one) for one in dtypes if one not in (*KINDS, "key")):
        if any(is_kind(value.dtype, k) and is_kind(dtype, k) for k in kinds):
            if jax.dtypes.canonicalize_dtype(dtype) == dtype:
                return value.astype(dtype)
            raise Wrong(
                f"becomes {dtype}, which JAX supports only with `jax_enable_x64`"
            )
    text = type_text(declared, "")
    raise Wrong(f"is {noun(value)}, for which `{text}` has no wider dtype")


def require_read(values: Iterable[Any]) -> None:
    """Refuse a value with unread parts. They are recorded, so the error has no text."""
    if any(value is WRONG for value in values):
        raise Wrong("")


def excerpt(code: Encoded) -> str:
    """Return the beginning of a code, for an error."""
    return shorten(repr(code), 60)


def _is_enum(kind: type[Any]) -> bool:
    return issubclass(kind, enum.Enum)
