"""The parameters of a class's `abstract`: its static fields, and whatever its shapes leave free.

class Mlp:                                           ->    pixels, hidden, classes: sizes
    first: donated[Linear[pixels, hidden]]                 middle: how many
    middle: donated[tuple[Linear[hidden, hidden], ...]]
    last: donated[Linear[hidden, classes]]

If a nested class leaves a parameter free, its holder leaves it free too. It keeps its name where no
other parameter has that name.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.check.contents import ObjectContents
from codegen.program import types
from codegen.program.graph import components
from codegen.program.nodes import Class, Collection, Field, Value, is_none
from codegen.program.substitution import arguments_of, dims_of
from codegen.program.types import Dim, Ref, Type

Path: TypeAlias = tuple[str, ...]

# How many parameters a part may leave free. If each class holds the one before twice, that number
# doubles with every class.
FREE_MAX = 500


class NotDerivable(Exception):
    """The caller would have to pass an array: the schema is not enough to create it."""


class FreeParameter(Struct, frozen=True):
    """A keyword of `abstract`."""

    kind: Literal["static", "size", "shape", "count", "keys"]
    path: Path  # of the field that it is about; `("[nx]",)` for a size
    keyword: str
    # The field of a static parameter; for the keys of a dict, a field with their type.
    field: Field | None = None
    # The dimension of a size, or of a static integer with the name of one; `*batch` for a shape.
    dim: str = ""

    @property
    def default(self) -> Value | None:
        """The declared default."""
        return self.field.default if self.field is not None else None


class AbstractSignature(Struct, frozen=True):
    """The parameters from which objects of one class are created."""

    free: tuple[FreeParameter, ...]
    known_sizes: dict[str, tuple[Path, str]]  # sizes in static values, and where they are
    keywords: dict[Path, str]  # by the path of each parameter
    # The parameters of each part, by its path: the part's keyword and the holder's, such as
    # {"rate": "first_rate"}.
    part_keywords: dict[Path, dict[str, str]]
    empty_fields: tuple[str, ...]  # fields that start empty: they would hold objects of this class
    is_initializable: bool  # every array has an initializer or a default, or is a key


class AbstractSignatures:
    """The `abstract` signatures of a program's classes."""

    def __init__(self, contents: ObjectContents) -> None:
        self.contents = contents
        self._classes = contents.program.classes

    def of(self, ref: Ref) -> AbstractSignature | None:
        """Return the signature of a class; None if it cannot be derived."""
        return self._signatures[ref]

    @cached_property
    def _signatures(self) -> dict[Ref, AbstractSignature | None]:
        """Derive every signature after those of the parts."""
        held: dict[Ref, list[Ref]] = {}
        for ref, node in self._classes.items():
            held[ref] = [r for f in _fields_to_create(node) for r in f.type.class_refs]
        ordered = components(held)
        groups = {ref: i for i, group in enumerate(ordered) for ref in group}
        known: dict[Ref, AbstractSignature | None] = {}
        for group in ordered:
            # Of classes that hold each other, none is a required part of itself, at any depth.
            parts = {ref: self._required_parts(ref, groups) for ref in group}
            for ref in (ref for one in components(parts) for ref in one):
                derivation = _Derivation(self._classes[ref], self.contents, groups, known)
                try:
                    known[ref] = derivation.derive()
                except NotDerivable:
                    known[ref] = None
        return known

    def _required_parts(self, ref: Ref, groups: dict[Ref, int]) -> list[Ref]:
        """Return the classes in the same cycle whose objects every object of a class needs."""
        fields = _fields_to_create(self._classes[ref])
        parts = [inner for field in fields for inner in _required_classes(field.type)]
        return [inner for inner in parts if groups[inner] == groups[ref]]


def _fields_to_create(node: Class) -> list[Field]:
    return [f for f in node.traced_fields if not is_none(f.default)]


def _required_classes(type: Type) -> list[Ref]:
    """Return the classes whose objects every value of a type needs."""
    if isinstance(type, types.ClassType):
        return [type.ref]  # A signature does not depend on type arguments.
    parts = type.elements if isinstance(type, types.FixedTuple) else ()
    return [ref for part in parts for ref in _required_classes(part)]


def _is_recursive(ref: Ref, type: Type, groups: dict[Ref, int]) -> bool:
    """Return whether a value of a type may hold objects of a class, at any depth.

    Classes that hold each other in a cycle are in one group.
    """
    return any(groups[inner] == groups[ref] for inner in type.class_refs)


class _Derivation(Struct):
    node: Class
    contents: ObjectContents
    groups: dict[Ref, int]
    signatures: dict[Ref, AbstractSignature | None]  # those of the parts
    owners: dict[Path, Path] = field(default_factory=dict[Path, Path])  # by each shared path
    free: dict[Path, FreeParameter] = field(default_factory=dict[Path, FreeParameter])
    sizes: dict[str, None] = field(default_factory=dict[str, None])
    known_sizes: dict[str, tuple[Path, str]] = field(default_factory=dict[str, tuple[Path, str]])
    # By the path of each part: the keywords of its class, and the path of each in this class.
    parts: dict[Path, dict[str, Path]] = field(default_factory=dict[Path, dict[str, Path]])
    empty_fields: list[str] = field(default_factory=list[str])
    is_initializable: bool = True

    def derive(self) -> AbstractSignature:
        for share in self.node.shares:
            owner, *others = (path.parts for path in share.paths)
            self.owners |= dict.fromkeys(others, owner)
        integers: dict[str, str] = {}
        for name, paths in self.contents.size_paths(self.node.ref).items():
            head, _, rest = paths[0].partition(".")
            self.known_sizes[name] = (head,), rest
            integers |= {head: name} if not rest else {}
        for f in self.node.fields:
            if f.role == "static":
                dim = integers.get(f.name, "")
                self.free[f.name,] = FreeParameter("static", (f.name,), f.name, f, dim)
        for f in self.node.fields:
            if f.role != "static" and (f.name,) not in self.owners:
                self._add_field(f)
        for name in self.sizes:
            if name not in self.known_sizes:
                kind: Literal["shape", "size"] = "shape" if name.startswith("*") else "size"
                path = (f"[{name}]",)
                self.free[path] = FreeParameter(kind, path, name.removeprefix("*"), dim=name)
        free = self._assign_keywords()
        keywords = {o.path: o.keyword for o in free}
        parts = {
            at: {keyword: keywords[path] for keyword, path in paths.items()}
            for at, paths in self.parts.items()
        }
        empty = tuple(self.empty_fields)
        return AbstractSignature(
            free, self.known_sizes, keywords, parts, empty, self.is_initializable
        )

    def _assign_keywords(self) -> tuple[FreeParameter, ...]:
        """Assign each parameter its keyword: its own name, or its path where several have that
        name.
        """
        own = {f.name for f in self.node.fields}
        order = ("static", "size", "shape")
        free = sorted(
            self.free.values(),
            key=lambda o: order.index(o.kind) if len(o.path) == 1 and o.kind in order else 3,
        )
        wanted = Counter(o.keyword for o in free)
        taken: set[str] = set()
        named: list[FreeParameter] = []
        for parameter in free:
            name = parameter.keyword
            is_own = len(parameter.path) == 1 and parameter.kind not in ("size", "shape")
            if not is_own and len(parameter.path) > 1 and (name in own or wanted[name] > 1):
                name = "_".join(parameter.path)
            while name in taken or (not is_own and name in own):
                name += "_size" if parameter.kind in ("size", "shape") else "_"
            taken.add(name)
            named.append(replace(parameter, keyword=name))
        return tuple(named)

    # --- fields

    def _add_field(self, field: Field) -> None:
        type = field.type.without_none
        is_array = isinstance(type, types.Array | types.Scalar)
        if isinstance(field.default, Collection):
            self._add_default_items(field, type, field.default)
        elif is_none(field.default) or (field.default is not None and not is_array):
            return  # The default creates it, with no array of a declared shape in it.
        elif types.NoneType() in field.type.options and self._is_recursive(type):
            self.empty_fields.append(field.name)
        else:
            self._add_parameters(field.type, (field.name,), field)

    def _add_default_items(self, field: Field, type: Type, default: Collection) -> None:
        """Process a tuple with the items of its default."""
        if not isinstance(type, types.Sequence | types.FixedTuple):
            raise NotDerivable
        for element in type.held if default.items else ():
            if not isinstance(element, types.Array | types.Scalar):
                raise NotDerivable
            self._add_parameters(element, (field.name,), field)

    def _add_parameters(self, type: Type, path: Path, field: Field | None = None) -> None:
        """Collect the free parameters of a value of a type."""
        match type:
            case types.Array():
                self._add_array(type, field)
            case types.Scalar(name="int" | "float" | "bool" | "complex"):
                self.is_initializable &= field is not None and field.default is not None
            case types.ClassType():
                self._add_part(type, path)
            case types.NoneType():
                pass
            case types.FixedTuple():
                for i, element in enumerate(type.elements):
                    self._add_parameters(element, (*path, str(i)))
            case types.Sequence() if type.size is not None and not self._is_recursive(type.element):
                self._add_sizes(type.size)
                self._add_parameters(type.element, path)
            case types.Sequence(container="tuple" | "list", size=None):
                self._add_container(type.element, path, None)
            case types.Mapping(container="dict"):
                self._add_container(type.value, path, type.key)
            case types.Union():
                inner = type.without_none
                if inner is type or (len(path) > 1 and self._is_recursive(inner)):
                    raise NotDerivable
                self._add_parameters(inner, path, field)
            case _:
                raise NotDerivable

    def _add_array(self, type: types.Array, f: Field | None) -> None:
        if any(isinstance(dim, types.AnyDims) for dim in type.shape):
            raise NotDerivable
        for dim in type.shape:
            self._add_sizes(dim)
        has_value = f is not None and (f.init is not None or f.default is not None)
        self.is_initializable &= has_value or type.dtype == "key"

    def _add_sizes(self, dim: Dim) -> None:
        if isinstance(dim, types.AnyDim):
            raise NotDerivable
        for name in dim.names:
            self.sizes.setdefault(name)

    def _add_container(self, item: Type, path: Path, key: Type | None) -> None:
        field, *rest = path
        if self._is_recursive(item):
            if rest:
                raise NotDerivable
            self.empty_fields.append(field)
            return
        if any(map(_has_variable_length, item.iter_held())):
            raise NotDerivable  # each would have another length
        self._add_parameters(item, path)
        own = self.contents.program.fields[self.node.ref][field]
        about = None if key is None else replace(own, type=key, default=None)
        kind: Literal["count", "keys"] = "count" if key is None else "keys"
        self.free[path] = FreeParameter(kind, path, "_".join(path), about)

    def _is_recursive(self, type: Type) -> bool:
        """Return whether a value of a type holds objects of this same class."""
        return _is_recursive(self.node.ref, type, self.groups)

    # --- objects

    def _add_part(self, type: types.ClassType, path: Path) -> None:
        node = self.contents.program.classes[type.ref]
        if node.abstract:
            raise NotDerivable
        inner = self.signatures[type.ref]
        if inner is None or len(inner.free) > FREE_MAX:
            raise NotDerivable
        for axis in type.stacked:
            self._add_sizes(axis)
        dims, arguments = dims_of(type, node), arguments_of(type, node)
        keywords = self.parts.setdefault(path, {})
        for o in inner.free:
            if o.dim:
                is_own = o.dim in node.dims
                self._add_sizes(dims.get(o.dim, types.AnyDim()) if is_own else types.DimName(o.dim))
                continue
            at = self._owner_path((*path, *o.path))
            about = o.field and replace(o.field, type=o.field.type.substitute(dims, arguments))
            self.free.setdefault(at, FreeParameter(o.kind, at, o.keyword, about))
            keywords[o.keyword] = at
        for name, (at, rest) in inner.known_sizes.items():
            dim = dims.get(name) if name in node.dims else types.DimName(name)
            if rest and isinstance(dim, types.DimName):
                self.known_sizes.setdefault(dim.name, (self._owner_path((*path, *at)), rest))
        self.is_initializable &= inner.is_initializable

    def _owner_path(self, path: Path) -> Path:
        """Return the owner's path for a shared part."""
        for length in range(1, len(path) + 1) if self.owners else ():
            owner = self.owners.get(path[:length])
            if owner is not None:
                return (*owner, *path[length:])
        return path


def _has_variable_length(type: Type) -> bool:
    """Return whether values of a type differ in length."""
    is_sequence = isinstance(type, types.Sequence) and type.size is None
    return is_sequence or isinstance(type, types.Mapping)
