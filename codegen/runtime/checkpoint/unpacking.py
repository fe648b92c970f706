"""From arrays and their text back to a typed state, with every difference by its path.

    plate = unpack(Plate, packed.arrays, packed.about)

Each object is held against what its class declared when it was saved and what it declares
now: `evolution.py` says which field of then is which of now. Nothing is cast, dropped or
defaulted that the schemas do not say.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import jax
import jax.numpy as jnp

from ..dims.abstract import hashed
from ..mesh.fingerprints import text_of
from .conversions import (
    constructed,
    exact_number,
    initialised,
    layered,
    migrated,
    plain_number,
    restacked,
)
from .documents import CheckpointError, canonical, read
from .evolution import Evolution, Plan
from .fitting import ANY, are_alike, element, has_holes, is_told, noun, text
from .packing import Packing
from .schemas import Package, Type, is_concrete, parse
from .trees import NOTHING, WRONG, Trees, has_wrong, is_below, stacks
from .values import Encoded, Wrong

T = TypeVar("T")

# What is wrong with a field that nothing can be made of.
_REFUSED: Final = {
    "required": "is new, and has no default: give it one, or {}",
    "init": "is new: give `key=`, by which its `init=` makes it, or {}",
    "wider": "{}",
    "wrong": "{}",
}


class _Place(NamedTuple):
    """A field of an object."""

    path: str
    role: str
    declared: Type
    how: str
    like: Any


class _Exact(Packing):
    """Writes values to be compared: those that no text tells apart, by identity."""

    def named(self, value: Any) -> list[Encoded]:
        text, *rest = super().named(value)
        return [text, id(value)] if rest else [text]


def unpack(
    cls: type[T],
    arrays: Mapping[str, Any],
    about: str,
    *,
    like: Any = NOTHING,
    at: str = "",
    key: Any = None,
    cast: bool = False,
    statics: Mapping[str, Any] | None = None,
) -> T:
    """Put a state together of what `pack` made of it, perhaps by an earlier schema.

    Args:
        cls: its class
        arrays: by path, of JAX or NumPy
        about: the text that goes with them
        like: a state of the same structure, perhaps abstract: its static values and dtypes
            are held, and it says what pytrees are that no schema declares
        at: the path of the part that is wanted. Example: "model"
        key: makes the fields that are new and have an `init=`
        cast: whether dtypes may become wider ones of their kind
        statics: static values that no text can hold, functions mostly, by path

    Raises:
        CheckpointError: it lists every difference by path, and says what to write
    """
    document = read(about)
    package = Package.of(cls)
    unpacking = Unpacking(package, document, arrays, statics or {}, cast=cast, key=key)
    state: T = unpacking.whole(cls, at, like)
    return state


class Unpacking(Trees):
    """One run over a document."""

    def __init__(
        self,
        package: Package,
        document: dict[str, Any],
        arrays: Mapping[str, Any],
        statics: Mapping[str, Any],
        *,
        cast: bool,
        key: Any,
    ) -> None:
        super().__init__(package, arrays)
        self.document = document
        self.statics = statics
        self.key = key
        self.evolution = Evolution(package, document.get("classes"), cast=cast)
        # Whether what is read goes to a function that knows what it was.
        self.is_migrating = False

    def whole(self, cls: type[Any], at: str, like: Any) -> Any:
        """Read all of the document, or what is at a path of it.

        Raises:
            CheckpointError: it lists every difference
        """
        try:
            code = self.part(self.document, at)
            value = self.dynamic(code, at, Type(self.package.name_of(cls)), like)
        except RecursionError:
            raise CheckpointError("`about` is nested too deeply") from None
        except CheckpointError:
            raise  # It is a ValueError, too.
        except (TypeError, ValueError, AttributeError, LookupError, Wrong) as error:
            raise CheckpointError(
                f"`about` is not what `pack` writes: {error}"
            ) from None
        for path in self.arrays.keys() - self.used:
            if is_below(path, at):
                self.note(
                    path,
                    "is among the arrays, and nothing of that was saved: leave it out",
                )
        if value is not WRONG and has_holes(value):
            self.note(at, "says that parts are shared which its classes do not share")
        for path in self.statics.keys() - self.used:
            self.note(path, "is in `statics=`, and no static value is missing there")
        if value is WRONG or self.differences:
            name = cls.__qualname__
            wrong = sorted(self.differences)
            raise CheckpointError(
                f"cannot unpack a `{name}`, as what was saved differs:", wrong
            )
        return value

    # --- objects

    def _object(
        self,
        path: str,
        declared: Type,
        like: Any,
        name: str,
        fields: dict[str, Encoded],
    ) -> Any:
        if name not in self.evolution.classes:
            raise Wrong(f"is of the class `{name}`, which `about` does not describe")
        if {*fields} != {*self.evolution.classes[name]["fields"]}:
            raise Wrong(f"has not the fields of its class `{name}`")
        try:
            cls = self.found(name, is_concrete, "class")
        except Wrong:
            if not self.is_migrating:
                raise
            return self._entries(path, name, fields)
        plan = self.evolution.plan(name)
        if plan.migrations:
            made = migrated(cls, plan.migrations, self._entries(path, name, fields))
            record = type(made).__codegen_record__
            return self._held(made, like, (*record.meta_fields, *record.data_fields))
        name_of = self.package.name_of
        if like is not NOTHING and name_of(type(like)) != name_of(cls):
            raise Wrong(f"is a `{cls.__qualname__}`, and `like` has {noun(like)}")
        # Types of another package mean its own classes.
        self.package, before = Package.of(cls), self.package
        try:
            values = self._fields(cls, path, like, plan, fields)
            if values is None:
                return WRONG
            new = plan.steps.keys() - values.keys()
            return self._held(self._built(cls, values, plan), like, new)
        finally:
            self.package = before

    def _held(self, made: Any, like: Any, names: Iterable[str]) -> Any:
        """Return an object of which some fields were not saved, and may be asked for."""
        meta = type(made).__codegen_record__.meta_fields
        for name in names if like is not NOTHING else ():
            one, other = getattr(made, name), getattr(like, name, NOTHING)
            if not self._is_held(one, other, is_static=name in meta):
                raise Wrong(
                    f"becomes {noun(one)} as `{name}`, and `like` has {noun(other)}"
                )
        return made

    def _is_held(self, value: Any, like: Any, *, is_static: bool) -> bool:
        if is_static:
            return self.text(value) == self.text(like)
        return are_alike(value, like)

    def _built(self, cls: Any, values: dict[str, Any], plan: Plan) -> Any:
        record = cls.__codegen_record__
        new = [name for name, step in plan.steps.items() if step.how == "init"]
        if len(values) < len(plan.steps):

            def make(index: tuple[int, ...], own: dict[str, Any]) -> Any:
                if not new:
                    return constructed(cls, own)
                return initialised(cls, own, new, self.init_key(index))

            is_traced = any(name not in values for name in record.data_fields)
            counts = self.counts() if is_traced else ()
            return layered(make, cls, values, counts) if counts else make((), values)
        try:
            key = record.key(cls, *(values[name] for name in record.meta_fields))
        except (TypeError, ValueError) as error:
            raise Wrong(f"cannot be made: {error}") from None
        for name, held in zip(record.meta_fields, key.values, strict=True):
            is_held = self.text(held) == self.text(values[name])
            if plan.steps[name].how == "same" and not is_held:
                raise Wrong(f"has {values[name]!r} as `{name}`, which becomes {held!r}")
        return record.unflatten(key, tuple(values[name] for name in record.data_fields))

    def _fields(
        self, cls: Any, path: str, like: Any, plan: Plan, fields: dict[str, Encoded]
    ) -> dict[str, Any] | None:
        """Return the values of the fields that there were, by today's names."""
        record, dot = cls.__codegen_record__, f"{path}." if path else ""
        declared = self.package.entry(self.package.name_of(cls))["fields"]
        is_wrong = False
        for old, what in plan.gone.items():
            if what:
                self.note(dot + old, f"({cls.__qualname__}) {what}")
                is_wrong = True
            self._drop(dot + old)
        values: dict[str, Any] = {}
        for name, step in plan.steps.items():
            if step.how == "default" or (step.how == "init" and self.key is not None):
                continue
            if step.how in _REFUSED:
                self.note(dot + name, _REFUSED[step.how].format(step.what))
                is_wrong = True
                if step.saved:
                    self._drop(dot + step.saved)
                continue
            one = NOTHING if like is NOTHING else getattr(like, name, NOTHING)
            role, _, kind = declared[name].partition(" ")
            place = _Place(dot + step.saved, role, parse(kind), step.how, one)
            self.steps.append(hashed(name))
            values[name] = self._field(record, name, place, fields[step.saved])
            self.steps.pop()
        is_wrong |= has_wrong(values.values())
        return None if is_wrong else values

    def _field(self, record: Any, name: str, place: _Place, code: Encoded) -> Any:
        try:
            if place.role == "static" and place.how != "number":
                return self._static_field(record, name, place, code)
            return self._traced_field(place, code)
        except Wrong as wrong:
            return self.note(place.path, str(wrong)) if str(wrong) else WRONG

    def _traced_field(self, place: _Place, code: Encoded) -> Any:
        path, role, declared, how, like = place
        if how in ("same", "cast"):
            self.is_widening, before = how == "cast", self.is_widening
            value = self.dynamic(code, path, declared, like)
            self.is_widening = before
            return value
        # What was a stack is read as one.
        inside = (element(declared, 0, self.package),)
        inner = Type("stacked", inside) if how == "unstack" else ANY
        value = self.dynamic(code, path, inner, NOTHING)
        if value is WRONG:
            return WRONG
        if how == "number":
            convert = plain_number if role == "static" else exact_number
            value = convert(value, text(declared))
            if role != "static" and (counts := self.counts()):
                value = jnp.broadcast_to(value, counts)
        elif any(isinstance(step, str) for step in self.steps):
            raise Wrong("cannot be converted within a stack: write a `migrate`")
        else:
            value = restacked(value, how)
        is_asked = like is not NOTHING
        if is_asked and not self._is_held(value, like, is_static=role == "static"):
            raise Wrong(f"becomes {noun(value)}, and `like` has {noun(like)}")
        return value

    def _static_field(
        self, record: Any, name: str, place: _Place, code: Encoded
    ) -> Any:
        path, asked = place.path, place.like
        is_given = path in self.statics or name in record.converted
        default = NOTHING if is_given else record.defaults.get(name, NOTHING)
        known = (one for one in (asked, default) if one is not NOTHING)
        saved = canonical(code)
        value = next((one for one in known if self.text(one) == saved), NOTHING)
        if value is NOTHING:
            value = self.static(code, path)
        if asked is not NOTHING and self.text(value) != self.text(asked):
            raise Wrong(f"was saved as {value!r}, and `like` has {asked!r}")
        return value

    def static_object(self, path: str, *given: Any) -> Any:
        """Return an object of a static field."""
        value = self._object(path, ANY, NOTHING, *given)
        if value is WRONG:
            raise Wrong("")
        return value

    def text(self, value: Any) -> str:
        """Return the text of a static value, to be compared: `==` takes 1 for True."""
        return canonical(_Exact(self.package).static(value, ""))

    def named(self, path: str, code: str, which: str) -> Any:
        """Return a value of which there is a text alone: it has to be given."""
        # One function may have been given for several fields, if its name tells it.
        told = (
            one
            for one, given in self.statics.items()
            if not which
            and is_told(given)
            and text_of(given, self.package.name) == code
        )
        one = path if path in self.statics else next(told, None)
        if one is None:
            raise Wrong(
                f"is `{code}`, which is found by no text: give `statics={{{path!r}: ...}}`"
            )
        self.used.add(one)
        return self.statics[one]

    def _entries(
        self, path: str, name: str, fields: dict[str, Encoded]
    ) -> dict[str, Any]:
        """Return what was saved of an object, for a function that makes another of it."""
        dot = f"{path}." if path else ""
        roles = self.evolution.classes[name]["fields"]
        before, self.is_migrating = self.is_migrating, True
        values: dict[str, Any] = {}
        for one, code in fields.items():
            if roles[one].startswith("static "):
                values[one] = self.static(code, dot + one)
            else:
                depth = stacks(parse(roles[one].partition(" ")[2]))
                inner = Type("stacked", (ANY,)) if depth else ANY
                values[one] = self.below(hashed(one), code, dot + one, inner, NOTHING)
        self.is_migrating = before
        if has_wrong(values.values()):
            raise Wrong("")
        return values

    def counts(self) -> tuple[int, ...]:
        """Return how many layers the stacks have in which an object is.

        Raises:
            Wrong: no arrays say so
        """
        paths = [step for step in self.steps if isinstance(step, str)]
        of = (one for name, one in self.arrays.items() if is_below(name, paths[-1]))
        found = {tuple(one.shape[: len(paths)]) for one in of} if paths else {()}
        if len(found) != 1 or len(counts := found.pop()) < len(paths) or 0 in counts:
            raise Wrong(
                "is in a stack, of which no arrays say how many layers it has, and "
                "so how many new fields get: write a `migrate`"
            )
        return counts

    def init_key(self, index: Sequence[int]) -> Any:
        """Return the key of an object of a layer, as `init` gives it one."""
        key, layers = self.key, iter(index)
        for step in self.steps:
            key = jax.random.fold_in(
                key, next(layers) if isinstance(step, str) else step
            )
        return key

    def _drop(self, path: str) -> None:
        """Leave out the arrays of a field that is not read."""
        self.used |= {one for one in self.arrays if is_below(one, path)}

    opened: ClassVar[dict[str, Callable[..., Any]]] = {
        **Trees.opened,
        "object": _object,
    }
