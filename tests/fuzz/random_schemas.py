# mypy: disable-error-code="no-untyped-def, no-any-return"
"""Random schemas, and plain values of their classes.

    schema = Schema(3)                      # classes, functions, and the text of the schema
    tree = Maker(schema, pick).make(type)   # a value: Nodes, containers, and a Leaf for each array
    obj = realize(tree, module)             # the same value as an object of generated classes
    tree = mirror(obj, schema)              # and back, with the leaves of the object

A tree can be changed. A shared part is one Leaf or Node at several paths. All numbers are small integers, so
that every dtype is exact.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import math
import random
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from codegen.runtime.drafts.state import is_draft

# Few shapes and dtypes, so that a donated array often has those of another one, or of a Ref.
SHAPES = ((), (2,), ("n",), (2, "n"), (0,))
DTYPES = {"f32": "float32", "i32": "int32", "bf16": "bfloat16", "u8": "uint8", "Bool": "bool"}
NUMBERS = {float: "float32", int: "int32", bool: "bool"}
IMPL = "random_programs"

# --- declared types


@dataclass(frozen=True)
class Array:
    dtype: str
    dims: tuple[Any, ...]

    def __str__(self) -> str:
        return self.dtype + (f"[{', '.join(map(str, self.dims))}]" if self.dims else "")


@dataclass(frozen=True)
class Key:
    def __str__(self) -> str:
        return "key"


@dataclass(frozen=True)
class Number:
    kind: str

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True)
class Static:
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Either:
    """A union. `None` may be one of the options."""

    options: tuple[Any, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


@dataclass(frozen=True)
class Fixed:
    items: tuple[Any, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True)
class Many:
    container: str
    item: Any

    def __str__(self) -> str:
        return self.container.format(self.item)


@dataclass(frozen=True)
class Object:
    cls: str
    # The type argument of a generic class.
    argument: Any = None

    def __str__(self) -> str:
        return self.cls if self.argument is None else f"{self.cls}[{self.argument}]"


@dataclass(frozen=True)
class Stacked:
    cls: str

    def __str__(self) -> str:
        return f"stacked[{self.cls}, layers]"


SEQUENCES = ("tuple[{}, ...]", "list[{}]", "Sequence[{}]")
MAPPINGS = ("dict[str, {}]", "Mapping[str, {}]")
LAYERS = 2


class Field(NamedTuple):
    name: str
    role: str
    type: Any

    def __str__(self) -> str:
        return f"{self.name}: {self.role}[{self.type}]"


@dataclass
class Class:
    name: str
    fields: tuple[Field, ...]
    base: str = ""
    own: tuple[Field, ...] = ()
    options: str = ""
    is_abstract: bool = False
    # Whether it is a Python subclass, which `define` creates.
    is_python: bool = False
    # Rows of paths: the first one is the owner.
    shares: tuple[tuple[tuple[str, ...], ...], ...] = ()

    def __str__(self) -> str:
        bases = ", ".join(filter(None, [self.base, self.options]))
        lines = [f"class {self.name}({bases}):" if bases else f"class {self.name}:"]
        lines += [f"    {one}" for one in self.own]
        lines += [f"    share({', '.join('.'.join(p) for p in row)})" for row in self.shares]
        return "\n".join([*lines, *([] if len(lines) > 1 else ["    pass"]), ""])


@dataclass(frozen=True)
class Function:
    name: str
    parameters: tuple[Field, ...]
    # The names of the parameters that are returned, before the number.
    returned: tuple[str, ...]

    def __str__(self) -> str:
        by_name = {one.name: one for one in self.parameters}
        result = ", ".join([*(str(by_name[name].type) for name in self.returned), "i32"])
        parameters = ", ".join(map(str, self.parameters))
        return (
            f'@impl("{IMPL}:{self.name}")\n'
            f"def {self.name}({parameters}, program: static[int]) -> tuple[{result}]: ...\n"
        )

    @property
    def traced(self) -> list[Field]:
        return [one for one in self.parameters if one.role != "static"]

    @property
    def statics(self) -> list[Field]:
        return [one for one in self.parameters if one.role == "static"]


# --- values


@dataclass(eq=False)
class Leaf:
    """An array, a random key as its data, or a Ref.

    The kinds "number" and "numpy" say in which form a constructor gets the array.
    """

    value: Any
    kind: str = "array"
    # Of a reference: the leaf of the call whose value it is, unless it was computed.
    origin: Any = None
    # "live", "deleted", or how a call consumed it.
    state: Any = "live"

    def __deepcopy__(self, memo: dict[int, Any]) -> Leaf:
        # All objects with a Ref see what a call writes.
        if self.kind != "ref":
            memo[id(self)] = Leaf(self.value, self.kind, self.origin, self.state)
            return memo[id(self)]
        return self


@dataclass(eq=False)
class Node:
    """An object: its class, and the values of its fields."""

    cls: Class
    fields: dict[str, Any]

    @property
    def name(self) -> str:
        return self.cls.name

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        memo[id(self)] = Node(self.cls, copy.deepcopy(self.fields, memo))
        return memo[id(self)]


class Mode(enum.Enum):
    """Stands for the enum of the schema."""

    A = "a"
    B = "b"


@dataclass(frozen=True)
class Config:
    """Stands for an object of a static class."""

    fields: tuple[tuple[str, Any], ...]


STATICS: dict[str, Sequence[Any]] = {
    "int": (0, 1, 2),
    "float": (0.0, -0.0, 1.0, 2.5),
    "bool": (True, False),
    "str": ("a", "b"),
    "int | str | None": (1, "1", None),
    "Any": (1, 1.0, True, "1", (1,), (1.0,), (True, 0.0), (True, -0.0), None),
    "tuple[int, ...]": ((), (1,), (1, 2)),
    "tuple[float, str]": ((0.0, "a"), (-0.0, "a"), (1.0, "b")),
    'Literal["a", 1, True]': ("a", 1, True),
    "frozenset[int]": (frozenset({1, 2}), frozenset()),
    "Mode": (*Mode,),
    "dtype": (np.dtype("float32"), np.dtype("int32")),
    "f32[2]": (np.array([0, 1], "float32"), np.array([-0.0, 1], "float32")),
}


def exact(value: Any) -> Any:
    """Return what a trace can observe of a static value."""
    if isinstance(value, Config):
        return "Config", *((name, exact(one)) for name, one in value.fields)
    if hasattr(type(value), "__codegen_record__"):
        names = [one.name for one in dataclasses.fields(value)]
        return "Config", *((name, exact(getattr(value, name))) for name in names)
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, enum.Enum):
        return "enum", value.name
    if isinstance(value, tuple):
        return "tuple", *map(exact, value)
    if isinstance(value, frozenset):
        return "frozenset", *sorted(map(exact, value))
    return type(value).__name__, repr(value)


class Item(NamedTuple):
    """A step of a path into a container."""

    key: Any


def child(value: Any, step: Any) -> Any:
    """Return a part of a tree, or of an object or a draft."""
    if isinstance(step, Item):
        return value[step.key]
    return value.fields[step] if isinstance(value, Node) else getattr(value, step)


def at(value: Any, path: Sequence[Any]) -> Any:
    for step in path:
        value = child(value, step)
    return value


def put(value: Any, path: Sequence[Any], new: Any) -> Any:
    """Replace a part: of a tree in place, of an object by `replace`."""
    if not path:
        return new
    first, *rest = path
    part = put(child(value, first), rest, new)
    if isinstance(value, Node):
        value.fields[first] = part
        return value
    if isinstance(value, dict):
        return {**value, first.key: part}
    if isinstance(value, tuple | list):
        return type(value)([*value[: first.key], part, *value[first.key + 1 :]])
    return value.replace(**{first: part})


def keystr(path: Sequence[Any]) -> str:
    """Format a path as messages do."""
    return path[0] + "".join(f"[{s.key!r}]" if isinstance(s, Item) else f".{s}" for s in path[1:])


def items_of(value: Any) -> list[tuple[Item, Any]]:
    """Return the items of a container; those of a dict in JAX's order."""
    keys = sorted(value) if isinstance(value, dict) else range(len(value))
    return [(Item(key), value[key]) for key in keys]


def nodes_of(value: Any) -> Iterator[Node]:
    """Yield the nodes of a tree, parts first."""
    if isinstance(value, Node):
        for one in value.cls.fields:
            if one.role != "static":
                yield from nodes_of(value.fields[one.name])
        yield value
    elif isinstance(value, tuple | list | dict):
        for _, part in items_of(value):
            yield from nodes_of(part)


def link(tree: Any) -> Any:
    """Put shared parts at all their paths."""
    for _ in range(9):
        changed = False
        for node in nodes_of(tree):
            for owner, *others in node.cls.shares:
                part = at(node, owner)
                for path in others:
                    if at(node, path) is not part:
                        put(node, path, part)
                        changed = True
        if not changed:
            return tree
    raise AssertionError("the shared parts change each other")


class Place(NamedTuple):
    """A leaf, and the path to it."""

    path: tuple[Any, ...]
    leaf: Leaf
    # Those of the parameter and of the fields on its path.
    roles: tuple[str, ...]
    # The class and name of the field that has it. Example: "Plate.u"
    field: str
    # Whether it is a path to a shared part that another path owns.
    is_alias: bool
    # Its declared type, if that is known.
    type: Any
    # The path that owns it.
    home: tuple[Any, ...] = ()

    @property
    def is_key(self) -> bool:
        return self.leaf.kind == "key"

    @property
    def is_number(self) -> bool:
        return isinstance(self.type, Number)

    @property
    def is_donated(self) -> bool:
        return {*self.roles} == {"donated"}

    @property
    def is_never_donated(self) -> bool:
        """Whether no call can donate it, by its fields."""
        return "dynamic" in self.roles[1:]


class Part(NamedTuple):
    """A value in a field or in a container, and its declared type if that is known."""

    path: tuple[Any, ...]
    value: Any
    type: Any
    # Whether another value can replace it, as far as shared parts are concerned.
    is_free: bool


@dataclass
class Survey:
    """Everything in some trees, by parameter, in an order that objects and trees have in common."""

    places: list[Place] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    statics: list[tuple[tuple[Any, ...], Any]] = field(default_factory=list)

    @property
    def owned(self) -> list[Place]:
        """The leaves, each once."""
        return [place for place in self.places if not place.is_alias]

    @property
    def refs(self) -> list[Place]:
        return [place for place in self.places if place.leaf.kind == "ref"]


def survey(trees: Mapping[str, Any], parameters: Mapping[str, tuple[str, Any]]) -> Survey:
    """Survey trees, given the role and type of each parameter."""
    found = Survey()
    for name, tree in trees.items():
        role, declared = parameters.get(name, ("donated", None))
        _visit(found, tree, declared, (name,), (role,), "", (), False)
    homes = {id(place.leaf): place.path for place in found.owned}
    found.places = [one._replace(home=homes[id(one.leaf)]) for one in found.places]
    return found


def _visit(found, value, declared, path, roles, owner, shared, is_alias) -> None:
    is_alias = is_alias or (path, True) in shared
    is_free = not is_alias and not any(one[: len(path)] == path for one, _ in shared)
    found.parts.append(Part(path, value, declared, is_free))
    if isinstance(value, Leaf):
        found.places.append(Place(path, value, roles, owner, is_alias, declared))
    elif isinstance(value, Node):
        rows = [
            (path + one, number > 0) for row in value.cls.shares for number, one in enumerate(row)
        ]
        argument = getattr(declared, "argument", None)
        for each in value.cls.fields:
            inner = (*path, each.name)
            if each.role == "static":
                found.statics.append((inner, value.fields[each.name]))
                continue
            kind = argument if str(each.type) == "T" else each.type
            where = f"{value.name}.{each.name}"
            part = value.fields[each.name]
            _visit(found, part, kind, inner, (*roles, each.role), where, (*shared, *rows), is_alias)
    elif isinstance(value, tuple | list | dict):
        for number, (step, part) in enumerate(items_of(value)):
            kind = None
            if isinstance(declared, Many):
                kind = declared.item
            elif isinstance(declared, Fixed):
                kind = declared.items[number]
            _visit(found, part, kind, (*path, step), roles, owner, shared, is_alias)


def shape_of(tree: Any) -> Any:
    """Return the exact structure of a tree, with dtypes and shapes."""
    match tree:
        case Leaf():
            value = tree.value
            return (
                "leaf",
                tree.kind in ("ref", "key") and tree.kind,
                str(value.dtype),
                value.shape,
            )
        case Node():
            parts = [
                exact(tree.fields[one.name])
                if one.role == "static"
                else shape_of(tree.fields[one.name])
                for one in tree.cls.fields
            ]
            return (tree.name, *parts)
        case None:
            return None
        case _:
            kind = type(tree).__name__
            return (kind, *((s.key, shape_of(v)) for s, v in items_of(tree)))


# --- objects


def realize(tree: Any, module: Any, pick: random.Random, made: dict[int, Any] | None = None) -> Any:
    """Create the objects of a tree. `made` has what exists already, by the ids of parts.

    Of several forms in which a static value can be given, `pick` selects one.
    """
    made = {} if made is None else made
    if id(tree) in made:
        return made[id(tree)]
    match tree:
        case None:
            return None
        case Leaf():
            new = _realized_leaf(tree)
        case Node():
            values = {
                one.name: realize_static(tree.fields[one.name], module, pick, str(one.type))
                if one.role == "static"
                else realize(tree.fields[one.name], module, pick, made)
                for one in tree.cls.fields
            }
            new = getattr(module, tree.name)(**values)
        case dict():
            return {key: realize(one, module, pick, made) for key, one in tree.items()}
        case _:
            return type(tree)(realize(one, module, pick, made) for one in tree)
    made[id(tree)] = new
    return new


def _realized_leaf(leaf: Leaf) -> Any:
    if leaf.kind == "key":
        return jax.random.wrap_key_data(jnp.array(leaf.value))
    if leaf.kind == "ref":
        return jax.new_ref(jnp.array(leaf.value))
    if leaf.kind == "number":
        return leaf.value.item()
    if leaf.kind == "numpy":
        return leaf.value.copy()
    return jnp.array(leaf.value)


def realize_static(value: Any, module: Any, pick: random.Random, declared: str) -> Any:
    """Return an equal copy of a static value, in one of the forms that are converted to it."""
    match value:
        case Config():
            types_ = {one.name: str(one.type) for one in module.SCHEMA.classes["Config"].fields}
            parts = {
                name: realize_static(one, module, pick, types_[name]) for name, one in value.fields
            }
            return module.Config(**parts)
        case Mode():
            return module.Mode[value.name]
        case np.ndarray():
            return value[::-1].copy()[::-1]
        case tuple():
            return (*value,)
        case frozenset():
            return frozenset([*value])
        case str():
            return "".join([*value])
    if declared == "float" and value.is_integer() and math.copysign(1, value) > 0:
        return pick.choice((value, int(value), np.float64(value)))
    if declared == "int":
        return pick.choice((value, np.int64(value)))
    return value


def mirror(obj: Any, schema: Schema, role: str = "") -> Any:
    """Return the tree of an object or a draft, whose leaves have the leaves of the object."""
    return link(_mirror(obj, schema, role))


def _mirror(obj: Any, schema: Schema, role: str) -> Any:
    if obj is None:
        return None
    if isinstance(obj, tuple | list | dict):
        if isinstance(obj, dict):
            return {key: _mirror(one, schema, role) for key, one in obj.items()}
        return type(obj)(_mirror(one, schema, role) for one in obj)
    # A draft of a Python subclass has the draft class of its base.
    kind = obj.__codegen_node__.key.cls if is_draft(obj) else type(obj)
    cls = schema.classes.get(kind.__name__)
    if cls is None:
        is_key = isinstance(obj, jax.Array) and jnp.issubdtype(obj.dtype, jax.dtypes.prng_key)
        if isinstance(obj, bool | int | float):
            (dtype,) = [NUMBERS[one] for one in (bool, int, float) if isinstance(obj, one)][:1]
            return Leaf(np.asarray(obj, dtype))
        return Leaf(obj, "ref" if role == "ref" else "key" if is_key else "array")
    fields = {
        one.name: getattr(obj, one.name)
        if one.role == "static"
        else _mirror(getattr(obj, one.name), schema, one.role)
        for one in cls.fields
    }
    return Node(cls, fields)


def require_shared(obj: Any, schema: Schema) -> None:
    """Check that shared paths lead to one part."""
    tree = _mirror(obj, schema, "")

    def visit(tree: Any, obj: Any) -> None:
        if isinstance(tree, Node):
            for owner, *others in tree.cls.shares:
                for path in others:
                    assert at(obj, path) is at(obj, owner), f"{path} is not shared with {owner}"
            for one in tree.cls.fields:
                if one.role != "static":
                    visit(tree.fields[one.name], getattr(obj, one.name))
        elif isinstance(tree, tuple | list | dict):
            for step, part in items_of(tree):
                visit(part, obj[step.key])

    visit(tree, obj)


# --- random values


class Maker:
    """Makes random values of types."""

    def __init__(self, schema: Schema, pick: random.Random, n: int) -> None:
        self.schema, self.pick, self.n = schema, pick, n
        self.prefix: tuple[int, ...] = ()

    def make(self, declared: Any, role: str = "") -> Any:
        return link(self._make(declared, role))

    def _make(self, declared: Any, role: str = "") -> Any:
        match declared:
            case None:
                return None
            case Array(dtype, dims):
                shape = (*self.prefix, *(self.n if dim == "n" else dim for dim in dims))
                kind = "numpy" if self.pick.random() < 0.07 else "array"
                return Leaf(self._array(dtype, shape), "ref" if role == "ref" else kind)
            case Key():
                data = [self.pick.getrandbits(32) for _ in range(2)]
                return Leaf(np.array(data, "uint32"), "key")
            case Number(kind):
                number = {"float": float, "int": int, "bool": bool}[kind](self.pick.randint(0, 6))
                is_number = self.pick.random() < 0.5
                array = np.array(number, NUMBERS[type(number)])
                return Leaf(array, "number" if is_number else "array")
            case Static(text):
                return self.static(text)
            case Either(options):
                return self._make(self.pick.choice(options))
            case Fixed(items):
                return tuple(map(self._make, items))
            case Many(container, item):
                made = [self._make(item) for _ in range(self.pick.choice((0, 1, 2, 2)))]
                if container in MAPPINGS:
                    names = self.pick.sample(["a", "b", "c", "d"], len(made))
                    return dict(zip(names, made, strict=True))
                return made if container.startswith("list") else tuple(made)
            case Stacked(name):
                self.prefix = (LAYERS,)
                node = self._make(Object(name))
                self.prefix = ()
                return node
            case Object(name, argument):
                cls = self.pick.choice(self.schema.instances(name))
                fields = {
                    one.name: self._make(argument if str(one.type) == "T" else one.type, one.role)
                    for one in cls.fields
                }
                return link(Node(cls, fields))
        raise AssertionError(declared)

    def static(self, text: str) -> Any:
        if text == "Config":
            fields = self.schema.classes["Config"].fields
            return Config(tuple((one.name, self.static(str(one.type))) for one in fields))
        return self.pick.choice(STATICS[text])

    def _array(self, dtype: str, shape: tuple[int, ...]) -> Any:
        numbers = [self.pick.randint(0, 6) for _ in range(math.prod(shape))]
        return np.array(numbers).reshape(shape).astype(jnp.dtype(DTYPES[dtype]))


def has_refs(schema: Schema, declared: Any) -> bool:
    """Return whether a value of a type may contain a Ref."""
    match declared:
        case Object(name):
            return any(
                one.role == "ref" or has_refs(schema, one.type)
                for cls in schema.instances(name)
                for one in cls.fields
            ) or has_refs(schema, declared.argument)
        case Either(parts) | Fixed(parts):
            return any(has_refs(schema, one) for one in parts)
        case Many(_, item):
            return has_refs(schema, item)
    return False


# --- schemas

_HEAD = '''"""A random schema."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Generic, Literal, TypeVar

from codegen.schema import (
    Bool, Dim, bf16, donated, dtype, dynamic, f32, i32, impl, key, ref, share, stacked, static, u8
)

n = Dim()
layers = Dim()
T = TypeVar("T")

class Mode(Enum):
    A = "a"
    B = "b"

'''


class Schema:
    """Random classes and functions."""

    def __init__(self, seed: int) -> None:
        self.seed, self.pick = seed, random.Random(seed)
        self.name = f"schema{seed}"
        self.has_refs = self.pick.random() < 0.4
        self.classes: dict[str, Class] = {}
        self._make_classes()
        self.drafts = {
            cls.name
            for name, one in self.classes.items()
            if "draft" in one.options
            for cls in self.instances(name)
        }
        self.functions = [self._function(number) for number in range(3)]
        bump = Function(f"{self.name}_bump", (Field("part", "donated", Object("Part")),), ("part",))
        self.functions.append(bump)

    def __str__(self) -> str:
        shown = [one for one in self.classes.values() if not one.is_python]
        return _HEAD + "\n".join(map(str, [*shown, *self.functions]))

    def instances(self, name: str) -> list[Class]:
        """Return the classes whose objects a field of a class may have."""
        cls = self.classes[name]
        found = [] if cls.is_abstract else [cls]
        for one in self.classes.values():
            if one.base == name:
                found += self.instances(one.name)
        return found

    # --- classes

    def _make_classes(self) -> None:
        pick = self.pick
        self._class("Config", [self._static() for _ in range(pick.randint(1, 3))])
        array = self._role(), self._array()
        self._class("Part", [array, *self._leaves(0, 2)], options=pick.choice(("", "draft=True")))
        self._class("Sub", self._leaves(1, 2), base="Part")
        array = self._role(), self._array()
        self._class("Model", [array, *self._leaves(0, 1)], options='abstract=True, use="dynamic"')
        self._class("One", self._leaves(1, 2), base="Model")
        self._class("Two", self._leaves(0, 2), base="Model")
        self._class("Box", [(self._role(), "T")], base="Generic[T]")
        self._class("Layer", [(self._role(), self._array()) for _ in range(pick.randint(1, 3))])
        self._shared_class("Tied")
        self._python("MyPart", "Part")
        self._python("MyModel", "Model")
        self._class("Mid", self._fields(2, 4))
        for name in ("A", "B"):
            self._class(name, self._fields(2, 5), options=pick.choice(("draft=True", "")))

    def _class(self, name, fields, base="", options="", shares=()) -> None:
        inherited = self.classes[base].fields if base in self.classes else ()
        own = tuple(Field(f"{name.lower()}{i}", *one) for i, one in enumerate(fields))
        is_abstract = "abstract" in options
        self.classes[name] = Class(
            name, (*inherited, *own), base, own, options, is_abstract, shares=tuple(shares)
        )

    def _python(self, name: str, base: str) -> None:
        self.classes[name] = Class(name, self.classes[base].fields, base, is_python=True)

    def _shared_class(self, name: str) -> None:
        """Add a class that shares arrays or objects."""
        pick = self.pick
        array = Array(pick.choice([*DTYPES]), pick.choice(SHAPES))
        self._class("Table", [(self._role(), array), *self._leaves(0, 1)])
        table, rows = Object("Table"), list[tuple[tuple[str, ...], ...]]()
        fields = [(self._role(), table), *self._leaves(0, 1)]
        first, last = "user0", f"user{len(fields)}"
        if pick.random() < 0.5:
            fields.append((self._role(), table))
            rows.append(((first,), (last,)))
        else:
            fields.append((self._role(), array))
            rows.append(((first, "table0"), (last,)))
        self._class("User", fields, shares=rows)
        if pick.random() < 0.5:
            fields = [(self._role(), Object("User")), *self._leaves(0, 2), (self._role(), table)]
            last = f"tied{len(fields) - 1}"
            # The outermost row decides who owns the part.
            rows = [((last,), ("tied0", first))]
        else:
            fields = [(self._role(), table), (self._role(), Object("User")), *self._leaves(0, 2)]
            rows = [(("tied0",), ("tied1", first))]
        self._class(name, fields, shares=rows)

    # --- fields and types

    def _role(self) -> str:
        return self.pick.choice(("donated", "donated", "dynamic"))

    def _array(self) -> Array:
        dtypes = ["f32", "f32", "i32", "i32", "bf16", "u8", "Bool"]
        return Array(
            self.pick.choice(dtypes), self.pick.choice(SHAPES[: 4 + (self.pick.random() < 0.1)])
        )

    def _static(self) -> tuple[str, Any]:
        return "static", Static(self.pick.choice([*STATICS]))

    def _leaves(self, low: int, high: int) -> list[tuple[str, Any]]:
        return [self._leaf() for _ in range(self.pick.randint(low, high))]

    def _leaf(self) -> tuple[str, Any]:
        kind = self.pick.random()
        if kind < 0.15:
            return self._static()
        if kind < 0.25:
            return "dynamic", Number(self.pick.choice(("float", "int", "bool")))
        if kind < 0.32:
            return self._role(), Key()
        if kind < 0.5 and self.has_refs:
            return "ref", self._array()
        return self._role(), self._array()

    def _fields(self, low: int, high: int) -> list[tuple[str, Any]]:
        return [
            self._leaf() if self.pick.random() < 0.35 else (self._role(), self._type(2))
            for _ in range(self.pick.randint(low, high))
        ]

    def _type(self, depth: int) -> Any:
        pick = self.pick

        def inner() -> Any:
            if pick.random() < 0.4:
                return self._array()
            return self._type(depth - 1) if depth else self._plain()

        kind = pick.choice(
            (
                "plain",
                "object",
                "object",
                "object",
                "maybe",
                "union",
                "fixed",
                "many",
                "map",
                "box",
                "stacked",
            )
        )
        match kind:
            case "object":
                names = ["Part", "Sub", "Model", "One", "Tied", *self.classes]
                names = [one for one in names if one in self.classes]
                held = {"Config", "Box", "MyPart", "MyModel", "User", "A", "B"}
                return Object(pick.choice([one for one in names if one not in held]))
            case "maybe":
                return Either((self._plain(), None))
            case "union":
                options = [self._array(), Object("Part"), Object("Two"), None]
                return Either(tuple(pick.sample(options, pick.randint(2, 3))))
            case "fixed":
                return Fixed(tuple(inner() for _ in range(pick.randint(1, 3))))
            case "many":
                return Many(pick.choice(SEQUENCES), inner())
            case "map":
                return Many(pick.choice(MAPPINGS), inner())
            case "box":
                return Object("Box", pick.choice((self._array(), Object("Part"))))
            case "stacked":
                return Stacked("Layer")
        return self._plain()

    def _plain(self) -> Any:
        return self.pick.choice((self._array(), self._array(), Object("Part"), Object("Model")))

    # --- functions

    def _function(self, number: int) -> Function:
        pick, parameters = self.pick, list[Field]()
        for name in "abc"[: pick.randint(1, 3)]:
            kind = pick.choice(("A", "A", "B", "Mid", "Tied", "pair", "many", "bare"))
            role = self._role()
            if kind == "pair":
                declared: Any = Fixed((Object("Part"), Object(pick.choice(("A", "Model")))))
            elif kind == "many":
                declared = Many(pick.choice((*SEQUENCES, *MAPPINGS)), Object("Part"))
            elif kind == "bare":
                role, declared = self._leaf()
                if role == "static":
                    role, declared = "dynamic", Number("float")
            else:
                declared = Object(kind)
            parameters.append(Field(name, role, declared))
        returned = tuple(
            one.name for one in parameters if one.role != "ref" and pick.random() < 0.9
        )
        if pick.random() < 0.5:
            parameters.append(Field("mode", *self._static()))
        return Function(f"{self.name}_f{number}", tuple(parameters), returned)


def define(schema: Schema, module: Any) -> Any:
    """Add the Python subclasses to a namespace with the names of a generated module."""
    found = types.SimpleNamespace(**vars(module), SCHEMA=schema)
    for cls in schema.classes.values():
        if cls.is_python:
            body = {"__module__": __name__, "twice": lambda self: (self, self)}
            setattr(found, cls.name, type(cls.name, (getattr(module, cls.base),), body))
    return found
