"""What an object can be made from: its static fields, and what the shapes leave open.

class Mlp:                                           ->    pixels, hidden, classes: sizes
    first: donated[Linear[pixels, hidden]]                 middle: how many
    middle: donated[tuple[Linear[hidden, hidden], ...]]
    last: donated[Linear[hidden, classes]]

What a nested class leaves open, its holder leaves open too, under the same name where no other has it.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.program import types
from codegen.program.bind import arguments_of, dims_of
from codegen.program.nodes import Class, Field, Items, Value, is_none
from codegen.program.rewrite import substituted
from codegen.program.types import Dim, Ref, Type
from codegen.view.drawing import Drawing
from codegen.view.holding import Holding
from codegen.view.sizes import size_paths

Path: TypeAlias = tuple[str, ...]

# What a part may leave open, or it is given as a whole: where each class holds the one before
# twice, that doubles with every class.
OPENS_MAX = 500


class Underivable(Exception):
    """A value of this type cannot be made from sizes."""


class Open(Struct, frozen=True):
    """A keyword of `abstract`, `zeros` and `init`."""

    kind: Literal["static", "size", "shape", "count", "keys", "given"]
    path: Path  # of the field that it is about; of a size, see `size_path`
    keyword: str
    # What a static or given one is a value of; the type of a dict's keys.
    field: Field | None = None

    @property
    def default(self) -> Value | None:
        """The declared default."""
        return self.field.default if self.field is not None else None

    @property
    def dim(self) -> str:
        """The dimension that a size is of, or a static integer that is called like one."""
        return self.path[0].strip("[]")


def size_path(dim: str) -> Path:
    """Return where a size stands among the fields, one of which may have the same name."""
    return (f"[{dim}]",)


# --- how a value is made


class MadeArray(Struct, frozen=True):
    """An array, or a number, of a declared shape."""

    type: types.Array | types.Scalar
    field: Field | None  # whose initializer and default count


class MadePart(Struct, frozen=True):
    """An object: each keyword of its class with what stands for it here."""

    ref: Ref
    given: tuple[tuple[str, Path | Dim], ...]


class MadeItems(Struct, frozen=True):
    """A tuple of fixed length."""

    items: tuple[Made, ...]


class MadeMany(Struct, frozen=True):
    """A container of equal items, as many as the caller says; path None: none at all."""

    container: str
    path: Path | None
    item: Made | None


class MadeNone(Struct, frozen=True):
    """`None`."""


class MadeGiven(Struct, frozen=True):
    """What the caller gives."""

    path: Path


Made: TypeAlias = MadeArray | MadePart | MadeItems | MadeMany | MadeNone | MadeGiven


class Plan(Struct, frozen=True):
    """How objects of one class are made."""

    node: Class
    opens: tuple[Open, ...]
    made: dict[str, Made]  # by field
    sizes: tuple[str, ...]  # every dimension that is needed, in the order of its first use
    known: dict[str, tuple[Path, str]]  # those that a static value says, and where it does
    is_initial: bool  # every array has an initializer or a default, or is a key
    keywords: dict[Path, str]  # by what it is about


class Plans:
    """The plans of a program's classes, made when they are asked for."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self._plans: dict[Ref, Plan] = {}
        self.holding = Holding(drawing.program)

    def plan(self, ref: Ref) -> Plan:
        """Return the plan of a class with arrays that is not abstract."""
        if ref not in self._plans:
            for inner in self._innermost_first(ref):
                node = self.drawing.program.classes[inner]
                if inner == ref or not node.abstract:
                    self._plans[inner] = _planner(node, self).plan()
        return self._plans[ref]

    def _innermost_first(self, ref: Ref) -> list[Ref]:
        """Order what is to be planned by a walk of its own: a chain may be longer than Python's stack."""
        found: dict[Ref, None] = {}
        waiting = [(ref, False)]
        seen: set[Ref] = set()
        while waiting:
            current, is_left = waiting.pop()
            if is_left:
                found[current] = None
            elif current not in seen and current not in self._plans:
                seen.add(current)
                waiting.append((current, True))
                waiting += [(inner, False) for inner in self.holding.needed(current)]
        return list(found)


def _planner(node: Class, plans: Plans) -> _Planner:
    owners = {path.parts: share.paths[0].parts for share in node.shares for path in share.paths[1:]}
    return _Planner(node, plans, {f.name: f for f in node.fields}, owners)


class _Planner(Struct):
    node: Class
    plans: Plans
    fields: dict[str, Field]
    owners: dict[Path, Path]  # of each shared path
    opens: dict[Path, Open] = field(default_factory=dict[Path, Open])
    sizes: dict[str, None] = field(default_factory=dict[str, None])
    known: dict[str, tuple[Path, str]] = field(default_factory=dict[str, tuple[Path, str]])
    is_initial: bool = True

    def plan(self) -> Plan:
        for f in self.node.fields:
            if f.role == "static":
                self.opens[f.name,] = Open("static", (f.name,), f.name, f)
        for name, paths in size_paths(self.node, self.plans.drawing).items():
            head, _, rest = paths[0].partition(".")
            self.known[name] = (head,), rest
        made: dict[str, Made] = {}
        for f in self.node.fields:
            if f.role != "static" and (f.name,) not in self.owners:
                made[f.name] = self._field(f)
        sizes = [name for name in self.sizes if name not in self.known]
        for name in sizes:
            kind: Literal["shape", "size"] = "shape" if name.startswith("*") else "size"
            path = size_path(name)
            self.opens[path] = Open(kind, path, name.removeprefix("*"))
        opens = self._named()
        keywords = {o.path: o.keyword for o in opens}
        return Plan(
            self.node, opens, made, tuple(self.sizes), self.known, self.is_initial, keywords
        )

    def _named(self) -> tuple[Open, ...]:
        """Give each its keyword: its own name, or its path where several have that name."""
        own = {f.name for f in self.node.fields}
        order = ("static", "size", "shape")
        opens = sorted(
            self.opens.values(),
            key=lambda o: order.index(o.kind) if len(o.path) == 1 and o.kind in order else 3,
        )
        wanted = Counter(o.keyword for o in opens)
        taken: set[str] = set()
        named: list[Open] = []
        for o in opens:
            name = o.keyword
            is_own = len(o.path) == 1 and o.kind not in ("size", "shape")
            if not is_own and len(o.path) > 1 and (name in own or wanted[name] > 1):
                name = "_".join(o.path)
            while name in taken or (not is_own and name in own):
                name += "_size" if o.kind in ("size", "shape") else "_"
            taken.add(name)
            named.append(replace(o, keyword=name))
        return tuple(named)

    # --- fields

    def _field(self, f: Field) -> Made:
        before = dict(self.opens), dict(self.sizes), dict(self.known), self.is_initial
        try:
            return self._with_default(f)
        except Underivable:
            self.opens, self.sizes, self.known, self.is_initial = before
            self.opens[f.name,] = Open("given", (f.name,), f.name, f)
            return MadeGiven((f.name,))

    def _with_default(self, f: Field) -> Made:
        if is_none(f.default):
            return MadeNone()
        if isinstance(f.default, Items):
            return self._defaults(f, f.default)
        type = types.optional(f.type) or f.type
        if f.default is not None and not isinstance(type, types.Array | types.Scalar):
            raise Underivable
        return self._made(f.type, (f.name,), f)

    def _defaults(self, f: Field, default: Items) -> Made:
        """Make a tuple as it is by default."""
        type = types.optional(f.type) or f.type
        if isinstance(type, types.Sequence):
            elements = (type.element,) * len(default.items)
        elif isinstance(type, types.FixedTuple):
            elements = type.elements
        else:
            raise Underivable
        items: list[Made] = []
        for i, (element, value) in enumerate(zip(elements, default.items, strict=True)):
            if not isinstance(element, types.Array | types.Scalar):
                raise Underivable
            inner = replace(f, type=element, default=value, init=None)
            items.append(self._made(element, (f.name, str(i)), inner))
        return MadeItems(tuple(items))

    def _made(self, type: Type, path: Path, f: Field | None = None) -> Made:
        match type:
            case types.Array():
                return self._array(type, f)
            case types.Scalar(name="int" | "float" | "bool" | "complex"):
                self.is_initial &= f is not None and f.default is not None
                return MadeArray(type, f)
            case types.ClassType():
                return self._part(type, path)
            case types.NoneType():
                return MadeNone()
            case types.FixedTuple():
                items = enumerate(type.elements)
                return MadeItems(tuple(self._made(e, (*path, str(i))) for i, e in items))
            case types.Sequence(container="tuple" | "list"):
                return self._many(type.container, type.element, path, None)
            case types.Mapping(container="dict"):
                return self._many("dict", type.value, path, type.key)
            case types.Union():
                inner = types.optional(type)
                if inner is None:
                    raise Underivable
                is_many = isinstance(inner, types.Sequence | types.Mapping)
                if not is_many and self._recurs(inner):
                    return MadeNone()
                return self._made(inner, path, f)
            case _:
                raise Underivable

    def _array(self, type: types.Array, f: Field | None) -> Made:
        if any(isinstance(dim, types.AnyDim | types.AnyDims) for dim in type.shape):
            raise Underivable
        for dim in type.shape:
            self._need(dim)
        said = f is not None and (f.init is not None or f.default is not None)
        self.is_initial &= said or type.dtype == "key"
        return MadeArray(type, f)

    def _need(self, dim: Dim) -> None:
        for name in types.names_in(dim):
            self.sizes.setdefault(name)

    def _many(self, container: str, item: Type, path: Path, key: Type | None) -> Made:
        if self._recurs(item):
            return MadeMany(container, None, None)
        if any(isinstance(part, types.Sequence | types.Mapping) for part in types.walk(item)):
            raise Underivable  # each would have another length
        made = self._made(item, path)
        name = "_".join(path)
        about = None if key is None else replace(self._owner(path), type=key, default=None)
        self.opens[path] = Open("count" if key is None else "keys", path, name, about)
        return MadeMany(container, path, made)

    def _owner(self, path: Path) -> Field:
        return self.fields[path[0]]

    def _recurs(self, type: Type) -> bool:
        """Say whether a value of a type holds objects of this very class."""
        return self.plans.holding.recurs(self.node.ref, type)

    # --- objects

    def _part(self, type: types.ClassType, path: Path) -> Made:
        node = self.plans.drawing.program.classes[type.ref]
        if node.abstract or all(f.role == "static" for f in node.fields):
            raise Underivable
        inner = self.plans.plan(type.ref)
        if len(inner.opens) > OPENS_MAX:
            raise Underivable
        dims, arguments = dims_of(type, node), arguments_of(type, node)
        given = [(o.keyword, self._argument(o, inner, dims, arguments, path)) for o in inner.opens]
        for name, (at, rest) in inner.known.items():
            dim = dims.get(name) if name in node.dims else types.DimName(name)
            if rest and isinstance(dim, types.DimName):
                self.known.setdefault(dim.name, (self._canonical((*path, *at)), rest))
        self.is_initial &= inner.is_initial
        return MadePart(type.ref, tuple(given))

    def _argument(
        self,
        o: Open,
        inner: Plan,
        dims: dict[str, Dim],
        arguments: dict[str, Type],
        path: Path,
    ) -> Path | Dim:
        """Return what stands for a keyword of a part: a size, or a keyword of this class."""
        if o.kind == "shape":
            self.sizes.setdefault(o.dim)
            return types.Batch(o.dim.removeprefix("*"))
        own = {at: name for name, (at, rest) in inner.known.items() if not rest}
        if o.kind == "size" or o.path in own:
            dim = types.DimName(own.get(o.path, o.dim))
            if dim.name in inner.node.dims:
                bound = dims.get(dim.name)
                if bound is None or isinstance(bound, types.AnyDim):
                    raise Underivable
                self._need(bound)
                return bound
            self._need(dim)
            return dim
        whole = self._canonical((*path, *o.path))
        about = o.field and replace(o.field, type=substituted(o.field.type, dims, arguments))
        self.opens.setdefault(whole, Open(o.kind, whole, o.keyword, about))
        return whole

    def _canonical(self, path: Path) -> Path:
        """Return the path by which a shared part is known."""
        for length in range(1, len(path) + 1) if self.owners else ():
            owner = self.owners.get(path[:length])
            if owner is not None:
                return (*owner, *path[length:])
        return path
