"""Rebuild a typed state from arrays and their text, and list every difference by its
path.

    plate = unpack(Plate, packed.arrays, packed.about)

Each object is compared with the declaration of its class when it was saved and now.
`evolution.py` maps the saved fields to the current ones. Nothing is cast, dropped or
defaulted unless the schemas say so.
"""

import functools
import pkgutil
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from ..declared import Part, Shaped
from ..dims import converted_default, stable_hash
from ..evolution import Evolution, FieldOrigin, FieldOrigins
from ..init import initial_value
from ..keys.conversion import Converted
from ..keys.names import content_of, new_ref
from ..shapes import SizeFacts
from ..shapes.dimensions import Sizes, object_shapes
from ..sharing import HOLE
from .differences import has_holes, matches_deeply, noun, static_differences
from .documents import (
    MISFITS,
    NOT_WRITTEN,
    CheckpointError,
    Encoded,
    Wrong,
    canonical,
    is_below,
    parse_document,
)
from .packing import NOTHING
from .reading import WRONG, Reader, SavedPlace, require_read
from .schemas import Package, fits, is_concrete, type_text

# What follows the first field of a path.
_END: Final = re.compile(r"[.\[]")

T = TypeVar("T")


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
    """Rebuild a state from the output of `pack`, which an earlier schema may have
    written.

    Args:
        cls: the class of the state
        arrays: JAX or NumPy arrays, by path
        about: the text of the packed state
        like: a state of the same structure, perhaps abstract: its static values and
            dtypes are required, and it defines the pytrees that no schema declares
        at: the path of the part to read, with saved or current names of fields. Example:
            "model"
        key: a random key that initializes new fields with an `init=`
        cast: whether dtypes may become wider ones of their kind
        statics: static values that no text can represent, mostly functions, by path

    Raises:
        CheckpointError: lists every difference by path, with the text to write
    """
    document = parse_document(about)
    package = Package.of(cls)
    unpacking = Unpacking(package, document, arrays, statics or {}, cast=cast, key=key)
    state: T = unpacking.read_document(cls, at, like)
    return state


def saved_path(cls: type[Any], about: str, at: str) -> str:
    """Return the saved path of a part, in whose path fields may have current names."""
    package, document = Package.of(cls), parse_document(about)
    unpacking = Unpacking(package, document, {}, {}, cast=False, key=None)
    try:
        return unpacking.part(document.get("root"), SavedPlace(""), at)[1].path
    except (RecursionError, *MISFITS, Wrong):
        return at  # `unpack` reports it.


def _no_part(at: str, rest: str, parts: Sequence[str]) -> CheckpointError:
    """Return the error for a path that leads to no value."""
    found = ", ".join(f"`{part}`" for part in parts[:9])
    more = " and others" if len(parts) > 9 else ""
    found = f", only {found}{more}" if parts else ""
    return CheckpointError(
        f"nothing was saved at `{at}`: there is no `{rest}`{found}. Write a path as "
        "`model.blocks[0]`"
    )


class Unpacking(Reader):
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
        classes = document.get("classes", {})
        self.evolution = Evolution(classes, package, cast=cast, has_key=key is not None)
        super().__init__(package, classes, arrays, statics)
        self.document = document
        self.key = key

    def read_document(self, cls: type[Any], at: str, like: Any) -> Any:
        """Read the whole document, or the part at a path."""
        try:
            root = self.document.get("root")
            code, place = self.part(root, SavedPlace(""), at)
            root_path = place.path
            place = place._replace(declared=cls, like=like)
            called = self.package.name_of(cls)
            value = self.checked(self.dynamic(code, place), place, called)
        except RecursionError:
            raise CheckpointError("`about` is nested too deeply") from None
        except CheckpointError:
            raise  # A CheckpointError is a ValueError, too.
        except (*MISFITS, Wrong) as error:
            raise CheckpointError(f"{NOT_WRITTEN}: {error}") from None
        for path in self.arrays.keys() - self.used:
            if is_below(path, root_path):
                self.note(path, "is in the arrays, but was not saved: remove it")
        for path in self.statics.keys() - self.used:
            self.note(
                path,
                "is in `statics=`, but no static value is missing at this path: "
                "remove it",
            )
        if value is not WRONG and has_holes(value):
            self.note(
                root_path, "has shared parts that its classes do not declare as shared"
            )
        if self.differences:
            raise CheckpointError(
                f"cannot unpack a `{cls.__qualname__}`, since the saved state differs:",
                sorted(self.differences),
            )
        return value

    def part(
        self, code: Encoded, place: SavedPlace, at: str
    ) -> tuple[Encoded, SavedPlace]:
        """Follow a path; return the code of the value there, and its place.

        Fields have their saved names in the path, or their current ones.

        Raises:
            CheckpointError: there is no value
        """
        rest = at
        while rest:
            rest, parts = self._saved(code, rest), list[str]()
            try:
                for _, inside, inner in self.children(code, place):
                    parts.append(inside.path[len(place.path) :].removeprefix("."))
                    if is_below(rest, parts[-1]):
                        rest = rest[len(parts[-1]) :].removeprefix(".")
                        code, place = inner, inside
                        break
                else:
                    raise _no_part(at, rest, parts)
            except Wrong:
                raise _no_part(at, rest, parts) from None
        return code, place

    def _saved(self, code: Encoded, path: str) -> str:
        """Return a path from a value, with the saved name of its first field."""
        match code:
            case ["object", str(name), dict()]:
                field = _END.split(path, maxsplit=1)[0]
                return self.evolution.saved_name(name, field) + path[len(field) :]
        return path

    # --- objects

    def object(self, place: SavedPlace, name: str, fields: dict[str, Encoded]) -> Any:
        """Return an object of a static or dynamic field."""
        saved = self.classes.get(name)
        if saved is None or {*fields} != {*saved["fields"]}:
            raise Wrong(f"is a `{name}`, whose fields do not match those in `about`")
        if place.is_migrating and not is_concrete(self.package.find_class(name)):
            return self._entries(place, name, fields)
        cls, like = self.found(name, is_concrete, "class"), place.like
        name_of, record = self.package.name_of, cls.__codegen_record__
        if like is not NOTHING and name_of(type(like)) != name_of(cls):
            raise Wrong(f"is a `{cls.__qualname__}`, and `like` has {noun(like)}")
        plan = self.evolution.plan(name)
        if plan.migrations:
            obj = _migrate(cls, plan.migrations, self._entries(place, name, fields))
            values: dict[str, Any] = {}
        else:
            values = self._values(cls, place, plan, fields)
            obj = self._construct(cls, values, place, plan)
        for one in sorted({*record.meta_fields, *record.data_fields} - values.keys()):
            # `like` may also have values for fields that were not saved.
            expected, is_static = getattr(like, one, NOTHING), one in record.meta_fields
            below, text = place.below(f".{one}"), "becomes {}, and `like` has {}"
            self._require_same(getattr(obj, one), expected, below, text, is_static)
        return obj

    def _values(
        self,
        cls: Any,
        place: SavedPlace,
        plan: FieldOrigins,
        fields: dict[str, Encoded],
    ) -> dict[str, Any]:
        """Return the values of the fields that were saved, by their current names."""
        for name, what in plan.wrong.items():
            self.note(place.below(f".{name}").path, what)
        origins = {k: one for k, one in plan.origins.items() if k not in plan.wrong}
        for name in fields.keys() - {origin.saved for origin in origins.values()}:
            path = place.below(f".{name}").path
            self.used |= {one for one in self.arrays if is_below(one, path)}
        values = {
            name: self._field(cls, name, place, origin, fields[origin.saved])
            for name, origin in origins.items()
            if origin.saved
        }
        require_read([*values.values(), *[WRONG] * bool(plan.wrong)])
        return values

    def _field(
        self,
        cls: Any,
        name: str,
        holder: SavedPlace,
        origin: FieldOrigin,
        code: Encoded,
    ) -> Any:
        """Return the value of a field, or `WRONG` if a difference was recorded."""
        record = cls.__codegen_record__
        like = content_of(getattr(holder.like, name, NOTHING))
        place = holder._replace(is_cast=origin.how == "cast")
        is_static = name in record.meta_fields
        declared = Any if is_static else record.data_fields[name]
        place = place.field(origin.saved, name, declared, like)
        if is_static:
            return self._static_field(record, name, code, place)
        return self.checked(self.dynamic(code, place), place)

    def checked(self, value: Any, place: SavedPlace, called: str = "") -> Any:
        """Return a value if it fits the declared type; record it, if it does not."""
        if value is WRONG or fits(value, place.declared):
            return value
        text = called or type_text(place.declared, self.package.name)
        return self.note(
            place.path, f"is {noun(value)}, which `{text}` does not accept"
        )

    def _static_field(
        self, record: Any, name: str, code: Encoded, place: SavedPlace
    ) -> Any:
        is_given = place.path in self.statics or name in record.converted
        default = NOTHING if is_given else record.defaults.get(name, NOTHING)
        saved = canonical(code)
        known = (one for one in (place.like, default) if one is not NOTHING)
        value = next((one for one in known if self.text(one) == saved), NOTHING)
        try:
            if value is NOTHING:
                value = self.static(code, place._replace(like=NOTHING))
            text = "was saved as {}, and `like` has {}"
            self._require_same(value, place.like, place, text, is_static=True)
        except Wrong as wrong:
            return self.note(place.path, str(wrong))
        return value

    def _require_same(
        self, value: Any, other: Any, place: SavedPlace, text: str, is_static: bool
    ) -> None:
        """Refuse a value that differs from another one, if there is one; record each
        part that differs, as a text of both.
        """
        if other is NOTHING or (not is_static and matches_deeply(value, other)):
            return
        if is_static and self.text(value) == self.text(other):
            return
        whole = [("", noun(value), noun(other))]
        for way, *both in static_differences(value, other) if is_static else whole:
            self.note(place.below(way).path, text.format(*both))
        raise Wrong("")  # The difference is already recorded.

    def _construct(
        self, cls: Any, values: dict[str, Any], place: SavedPlace, plan: FieldOrigins
    ) -> Any:
        record = cls.__codegen_record__
        for name in values.keys() & {*record.ref_fields}:
            values[name] = new_ref(values[name])
        if len(values) < len(plan.origins):
            new = [name for name, one in plan.origins.items() if one.how == "init"]
            return self._with_new_fields(cls, values, new, place)
        try:
            key = record.key(cls, [values[name] for name in record.meta_fields])
        except (TypeError, ValueError) as error:
            raise Wrong(f"cannot be constructed: {error}") from None
        for name, held in zip(record.meta_fields, key.values, strict=True):
            if plan.origins[name].how == "same":
                below = place.below(f".{name}")
                text = "is {}, which its class converts to {}"
                self._require_same(values[name], held, below, text, is_static=True)
        return record.unflatten(key, tuple(values[name] for name in record.data_fields))

    def _with_new_fields(
        self, cls: Any, values: dict[str, Any], names: Sequence[str], place: SavedPlace
    ) -> Any:
        """Return an object with its new fields. `names` are those with an `init=`.

        In a stack each layer has its own values, as if it were an item of a tuple.
        """
        record = cls.__codegen_record__
        new = [name for name in record.data_fields if name not in values]
        counts = self._layers(place) if new else ()
        own = {name: name for name in record.parameters}
        part = Part(cls, own, of=record.schema, stacked=counts)
        shapes = object_shapes(record, part, "").fields if names else {}
        sizes = _sizes(record, shapes, values) if names else Sizes()

        def made(name: str, index: Sequence[int]) -> Any:
            if name not in names:
                return converted_default(record, name, record.data_fields[name])
            shape = shapes.get(name)
            array = _array_of_layer(shape, sizes, len(counts), name)
            layers, key = iter(index), self.key
            for step in (*place.steps, stable_hash(name)):
                number = next(layers) if isinstance(step, str) else step
                key = jax.random.fold_in(key, number)
            return initial_value(array, shape, None, key, name, {})

        def stacked(*layers: Any) -> Any:
            whole = jnp.stack([jnp.asarray(content_of(layer)) for layer in layers])
            return whole.reshape(*counts, *whole.shape[1:])

        try:
            for name in new if counts else names:
                layers = (made(name, index) for index in np.ndindex(*counts))
                values[name] = jax.tree_util.tree_map(stacked, *layers)
        except (TypeError, ValueError) as error:
            what = "has new fields that cannot be created"
            raise Wrong(f"{what}: {error}") from None
        return _construct(cls, values)

    def _layers(self, place: SavedPlace) -> tuple[int, ...]:
        """Return the sizes of the stacks around an object, the first axes of its arrays."""
        stacks = [step for step in place.steps if isinstance(step, str)]
        own = (k for k in self.arrays if stacks and is_below(k, stacks[-1]))
        counts = {tuple(self.arrays[path].shape[: len(stacks)]) for path in own}
        found = min(counts, default=())
        if len(counts) > 1 or 0 in found or len(found) < len(stacks):
            raise Wrong(
                "is in a stack whose arrays do not determine the number of layers of "
                "its new fields: write a `migrate`"
            )
        return found

    def _entries(
        self, place: SavedPlace, name: str, fields: dict[str, Encoded]
    ) -> dict[str, Any]:
        """Return the saved fields of an object, for a migration function."""
        place = place._replace(is_migrating=True)
        values: dict[str, Any] = {}
        for one, below, code in self.children(["object", name, fields], place):
            is_static = self.classes[name]["fields"][one].startswith("static ")
            values[one] = (self.static if is_static else self.dynamic)(code, below)
        require_read(values.values())
        return values


# --- changed classes


def _migrate(cls: Any, functions: Sequence[str], entries: dict[str, Any]) -> Any:
    """Return the object that migration functions create from earlier entries, applied
    in order.
    """
    for path in functions:
        try:
            result: Any = pkgutil.resolve_name(path)(entries)
        except Exception as error:  # User code may raise anything.
            what = f"cannot be migrated by `{path}`: {type(error).__name__}: {error}"
            raise Wrong(what) from error
        if not isinstance(result, dict):
            kind = type(result).__name__
            raise Wrong(
                f"is migrated by `{path}`, which must return a dict of entries, but "
                f"returned {kind}"
            )
        entries = result
    if surplus := entries.keys() - {*cls.__dataclass_fields__}:
        what = f"`{min(surplus)}`, which is not a field of the class"
        raise Wrong(f"is migrated by `{functions[-1]}`, which returned {what}")
    return _construct(cls, entries)


def _sizes(record: Any, shapes: Mapping[str, Any], values: Mapping[str, Any]) -> Sizes:
    """Return the sizes that the saved fields of an object determine."""
    facts = SizeFacts()
    facts.is_open = True
    try:
        for name in shapes:
            if name in values:
                facts.value(shapes[name], values[name], name)
        sizes = facts.solve(Sizes())
    except ValueError as error:
        raise Wrong(f"has new fields of unknown size: {error}") from None
    known = {**record.defaults, **values}  # A new static field may be a size.
    for dim, (way, *_) in record.sizes.items():
        field, *rest = way.split(".")
        if field in known:
            sizes[dim] = (functools.reduce(getattr, rest, known[field]), "")
    return sizes


def _array_of_layer(shape: Any, sizes: Sizes, depth: int, name: str) -> Any:
    """Return the abstract array of a new field in one layer of its stacks."""
    dims = shape.dims[depth:] if isinstance(shape, Shaped) else ("",)
    size: list[Any] = [sizes.value(dim) for dim in dims]
    if None in size or not isinstance(shape, Shaped):
        raise Wrong(f"has a new field `{name}` of unknown size: write a `migrate`")
    struct: Any = jax.ShapeDtypeStruct
    return struct(tuple(size), jax.dtypes.canonicalize_dtype(shape.dtype))


def _construct(cls: Any, values: Mapping[str, Any]) -> Any:
    """Return an object from its constructor, which applies the defaults."""
    record, arguments = cls.__codegen_record__, dict(values)
    for owner, *borrowers in record.shares:
        for path in borrowers:
            if arguments.get(path[-1]) is HOLE:
                arguments[path[0]] = functools.reduce(
                    getattr, owner[1:], arguments[owner[0]]
                )
    for name in arguments.keys() & {*record.converted}:
        arguments[name] = Converted(arguments[name])
    try:
        return record.create(**arguments)
    except (TypeError, ValueError) as error:
        raise Wrong(f"cannot be constructed: {error}") from None
