"""What the schemas of a package declare: their classes, as texts and as objects.

    package = Package.of(Plate)
    package.entry("heat.Grid")["fields"]["nx"]      # 'static int'
    package.find_class("heat.Grid")                 # the class, if it was imported
    fits((1.0, 2.0), tuple_of(float, ...))          # True
    type_text(optional(array("float32", "nx")), "generated.")   # 'f32[nx] | None'

The records of the classes give the declarations, as texts. Saved files have these
texts, and `migrate(since=...)` has digests of them. So they are the same, byte for
byte, as those of the compiler. A checkpoint never causes an import: a class is found
where the schemas have it, in a module that is already imported.
"""

import dataclasses
import enum
import functools
import importlib.util
import inspect
import operator
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import jax
import numpy as np

from ..classes.registration import Record
from ..declared import (
    AnyOf,
    Declared,
    Dim,
    Each,
    Foreign,
    Given,
    Items,
    Later,
    Literal,
    Part,
    Shaped,
    Weak,
    Word,
)
from ..evolution import Declarations, Entry
from ..keys.names import ModuleFacts, generated_modules, module_and_name
from ..shapes.dimensions import format_dim
from ..sharing import HOLE
from ..statics.views import is_named_tuple

NUMBERS: Final = (bool, int, float, complex)


@dataclasses.dataclass(frozen=True)
class Package(Declarations):
    """A generated package."""

    name: str  # ends with a dot

    @classmethod
    def of(cls, kind: type[Any]) -> "Package":
        """Return the package of a generated class.

        Raises:
            TypeError: the class is not generated, or belongs to another run time
        """
        name = getattr(kind, "__qualname__", type(kind).__qualname__)
        record = getattr(kind, "__codegen_record__", None)
        if record is None:
            raise TypeError(f"`{name}` is not a generated class")
        if not inspect.isclass(kind):
            raise TypeError(f"pass the class `{name}`, not an instance")
        if not isinstance(record, Record):
            # Another copy of the run time has its own facts about its modules.
            own = type(record).__module__.removesuffix(".classes.registration")
            part = __name__.removesuffix(".checkpoint.schemas")
            raise TypeError(
                f"the module of `{name}` uses the run time `{own}`: import what you call "
                f"from there, not from `{part}`"
            )
        return _package(record.package)

    def entry(self, name: str) -> Entry:
        """Return the declaration of a name; for a Python subclass, that of its base."""
        if found := super().entry(name):
            return found
        record = getattr(self.find_class(name), "__codegen_record__", None)
        # A class of another package.
        return _package(record.package).table.get(record.schema, {}) if record else {}

    @functools.cached_property
    def imports(self) -> frozenset[str]:
        """Names that the schemas import from outside. Example: "optax:OptState"."""
        entries = self.table.values()
        return frozenset(one for entry in entries for one in entry.get("imports", ()))

    def now(self, name: str) -> str:
        """Return the current name of a class or enum; for a Python subclass, that of
        its base.
        """
        if name not in self.table and (found := self._subclass(name)):
            return str(found.__codegen_record__.schema)
        return super().now(name)

    def name_of(self, kind: type[Any]) -> str:
        """Return the name of a class: of its schema, or `module:name`."""
        module, name = module_and_name(kind)
        own = str(module).removeprefix(self.name)
        return f"{own}.{name}" if f"{own}.{name}" in self.table else f"{module}:{name}"

    def find_class(self, name: str) -> Any:
        """Return the class of a name, or None if it is not reachable from the schemas."""
        if found := self._subclass(name):
            return found
        name = self.now(name)
        if name in self.table:
            module, _, inside = name.rpartition(".")
            return _found(f"{self.name}{module}", inside)
        module, colon, inside = name.partition(":")
        if not colon:
            return None
        found = _found(module, inside)
        is_imported = any(_found(*one.split(":")) is found for one in self.imports)
        # `import lib` makes everything in the module available.
        is_imported |= f"{module}:" in self.imports
        if is_imported or module in modules_of(self.name):
            return found
        # Only data classes: creating an object of them runs no foreign code.
        is_data = isinstance(found, type) and (
            is_concrete(found) or issubclass(found, enum.Enum) or is_named_tuple(found)
        )
        packages = {one.partition(":")[0].partition(".")[0] for one in self.imports}
        return found if is_data and module.partition(".")[0] in packages else None

    def member(self, kind: Any, text: str) -> Any:
        """Return the enum member of a name, or a combination of flags, such as
        "READ|WRITE".

        Raises:
            KeyError: it has no member with that name, or former name
        """
        former = self.entry(self.name_of(kind)).get("former", {})
        names = [text] if text in kind.__members__ else text.split("|")
        members = [kind[former.get(one, one)] for one in names]
        if len(members) > 1 and not issubclass(kind, enum.Flag):
            raise KeyError(text)
        return functools.reduce(operator.or_, members)

    def _subclass(self, name: str) -> Any:
        """Return the Python subclass of a generated class, `plug_ins:Bohm`, if it was
        imported.
        """
        module, _, inside = name.partition(":")
        found = _found(module, inside)
        record = getattr(found, "__dict__", {}).get("__codegen_record__")
        if record is None or record.cls is not found or record.package != self.name:
            return None
        return found


def _package(name: str) -> Package:
    # An import adds names to a module, and a reload creates other facts.
    modules = ((m, generated_modules[m]) for m in modules_of(name))
    return _known_package(
        name, *((one, len(vars(sys.modules[m]))) for m, one in modules)
    )


@functools.lru_cache(maxsize=64)
def _known_package(name: str, *_state: tuple[ModuleFacts, int]) -> Package:
    return Package(declarations(name), name)


def _found(module: str, name: str) -> Any:
    """Return an object of a module that is already imported, without running its code."""
    value: Any = sys.modules.get(module)
    for part in name.split("."):
        value = getattr(value, "__dict__", {}).get(part) if value is not None else None
    return value


def is_concrete(kind: Any) -> bool:
    """Return whether a class is generated and not abstract."""
    record = getattr(kind, "__codegen_record__", None)
    is_own = record is not None and record.cls is kind
    return is_own and not inspect.isabstract(kind)


def concrete(kind: Any) -> Iterator[Any]:
    """Yield a generated class and its subclasses, except abstract ones."""
    if is_concrete(kind):
        yield kind
    for one in kind.__subclasses__():
        yield from concrete(one)


# --- the table of declarations


def declarations(package: str) -> dict[str, Entry]:
    """Return the declarations of the modules of a package that are imported."""
    table: dict[str, Entry] = {}
    for module in modules_of(package):
        schema, facts = module.removeprefix(package), generated_modules[module]
        former = {f"{schema}.{name}": [*old] for name, old in facts.was.items()}
        for value in [*vars(sys.modules[module]).values()]:
            if not isinstance(value, type) or value.__module__ != module:
                continue
            name = f"{schema}.{value.__qualname__}"
            record = vars(value).get("__codegen_record__")
            if record is not None and record.package == package:
                table[name] = _class(record, former.get(name, []))
            elif issubclass(value, enum.Enum):
                table[name] = _enum(value, name, former)
        others = (n for n in facts.was if "." not in n and f"{schema}.{n}" not in table)
        dims = {name: former[f"{schema}.{name}"] for name in others}
        imports = [*facts.imports]
        table[schema] = _without_empty(kind="module", dims=dims, imports=imports)
    return table


def modules_of(package: str) -> list[str]:
    """Return the modules of a package that are imported, without those of other packages
    that are inside it: every module is inside the package without a name.
    """
    return [
        name
        for name, facts in generated_modules.items()
        if name.startswith(package)
        and name in sys.modules
        and _packages(name, facts, len(vars(sys.modules[name]))) <= {package}
    ]


# Kept by the same state of a module as its package, above.
@functools.lru_cache(maxsize=256)
def _packages(module: str, _facts: ModuleFacts, _size: int) -> frozenset[str]:
    """Return the packages of the classes that a module defines: one, or none."""
    values = vars(sys.modules[module]).values()
    records = (getattr(v, "__dict__", {}).get("__codegen_record__") for v in values)
    return frozenset(
        record.package
        for record in records
        if isinstance(record, Record) and record.cls.__module__ == module
    )


def _class(record: Any, was: list[str]) -> Entry:
    names = [field.name for field in dataclasses.fields(record.cls)]
    fields = {name: _field(record, name) for name in names}
    default = {*record.defaults, *record.factories}
    entries = _without_empty(
        kind="class",
        was=was,
        fields=fields,
        parameters=[*record.parameters, *record.type_parameters],
        former=dict(record.was),
        shares=[" ".join(map(".".join, paths)) for paths in record.shares],
        default=[name for name in names if name in default],
        init=[name for name in names if _has_init(record.data_fields.get(name))],
        abstract="yes" if record.abstract else "",
        reserved=[*record.reserved],
        migrations=[" ".join(one) for one in record.migrations.items()],
    )
    # Classes without fields are read as well.
    return entries | {"fields": fields}


def _enum(kind: Any, name: str, former: Mapping[str, list[str]]) -> Entry:
    members = [*kind.__members__]
    return _without_empty(
        kind="enum",
        was=former.get(name, []),
        former={old: one for one in members for old in former.get(f"{name}.{one}", ())},
    )


def _without_empty(**entries: Any) -> Entry:
    return {name: entry for name, entry in entries.items() if entry}


def _field(record: Any, name: str) -> str:
    """Return the role and the type of a field."""
    is_static = name in record.meta_fields
    declared = (record.meta_fields if is_static else record.data_fields)[name]
    role = "ref" if name in record.ref_fields else "dynamic"
    role = "donated" if name in record.donated_fields else role
    text = record.declared.get(name) or type_text(declared, record.package)
    return f"{'static' if is_static else role} {text}"


def _has_init(declared: Declared) -> bool:
    if isinstance(declared, AnyOf):
        return any(map(_has_init, declared.options))
    return isinstance(declared, Shaped) and declared.init is not None


# --- values of declared types


def fits(value: Any, declared: Declared) -> bool:
    """Return whether a dynamic field of a type may have a value; sizes do not count."""
    kind: Any = type(value)
    # optax's masks replace an array by an empty named tuple.
    if declared is Any or value is HOLE or (is_named_tuple(kind) and not value):
        return True
    match declared:
        case AnyOf(options=options):
            return any(fits(value, one) for one in options)
        case Shaped() | Weak():
            return is_array(value) or kind in NUMBERS
        case Each(kind=of, item=item):
            items = value.values() if isinstance(value, dict) else value
            return isinstance(value, of) and all(fits(one, item) for one in items)
        case Items(items=types):
            is_its = isinstance(value, tuple) and len(value) == len(types)
            return is_its and all(map(fits, value, types))
        case None:
            return value is None
        case Part(cls=cls) if cls is not None:
            return fits(value, cls)
        case type() if declared in NUMBERS:
            return is_array(value) or kind in NUMBERS
        case type() if declared in (str, bytes):
            return kind is declared
        case type() | Later():
            # By its name, since a reload creates another class.
            names = [f"{one.__module__}.{one.__name__}" for one in kind.__mro__]
            return declared in kind.__mro__ or class_name(declared, "") in names
        case _:
            return True


def item_type(declared: Declared, index: int) -> Declared:
    """Return the declared type of an item of a container."""
    for one in members(declared):
        if isinstance(one, Each):
            return one.item
        if isinstance(one, Items) and index in range(len(one.items)):
            return one.items[index]
    return Any


def members(declared: Declared) -> list[Declared]:
    """Return the members of a union; any other type is its own only member."""
    if not isinstance(declared, AnyOf):
        return [declared]
    return [one for option in declared.options for one in members(option)]


def stack_depth(declared: Declared) -> int:
    """Return the number of leading axes that a type adds to its arrays, as a stack."""
    parts = (one for one in members(declared) if isinstance(one, Part))
    return max((len(one.stacked) for one in parts), default=0)


def is_array(value: Any) -> bool:
    """Return whether a value is an array or a `ShapeDtypeStruct`."""
    return isinstance(value, jax.Array | np.ndarray | np.generic | jax.ShapeDtypeStruct)


# --- texts of declared types


def type_text(declared: Declared, package: str) -> str:
    """Format a declared type as its schema does, and a class with its module."""
    match declared:
        case None:
            return "None"
        case Shaped():
            dtype = re.sub(r"^(b?[fiuc])[a-z]+(?=\d)", r"\1", declared.dtype)
            return dtype + _brackets(map(_dim, declared.dims))
        case Part():
            dims = map(_dim, declared.dims.values())
            types = (type_text(one, package) for one in declared.types.values())
            text = class_name(declared.cls, package) + _brackets([*dims, *types])
            for dim in reversed(declared.stacked):
                text = f"stacked[{text}, {format_dim(dim)}]"
            return text
        case Each() | Items():
            return _container(declared, package)
        case AnyOf():
            texts = (type_text(one, package) for one in declared.options)
            return " | ".join(dict.fromkeys(texts))
        case Literal():
            return f"Literal[{', '.join(sorted(map(ascii, declared.values)))}]"
        case Given():
            return declared.parameter
        case Word():
            return declared.name
        case Foreign(kind=kind):
            return ".".join(map(str, module_and_name(kind)))
        case _:
            return class_name(declared, package)


def _container(declared: Each | Items, package: str) -> str:
    if isinstance(declared, Items):
        texts = [type_text(one, package) for one in declared.items]
        return f"tuple[{', '.join(texts) or '()'}]"
    kind = declared.kind.__name__
    texts = [type_text(declared.item, package)]
    if kind in ("dict", "frozendict"):
        texts.insert(0, type_text(declared.key, package))
    elif kind == "tuple" and not declared.is_any:
        texts.append("..." if declared.size is None else format_dim(declared.size))
    name = {"tuple": "Sequence", "dict": "Mapping"}[kind] if declared.is_any else kind
    return f"{name}[{', '.join(texts)}]"


def class_name(kind: Any, package: str) -> str:
    """Return the name of a class; one of a generated module, with the module."""
    if isinstance(kind, Later):
        # It is not looked up here: that would import its module.
        module = importlib.util.resolve_name(kind.module, kind.package)
        return f"{module.removeprefix(package)}.{kind.name}"
    is_own = kind.__module__ in generated_modules
    module = f"{kind.__module__.removeprefix(package)}." if is_own else ""
    return f"{module}{kind.__name__}"


def _brackets(items: Iterable[str]) -> str:
    inside = ", ".join(items)
    return f"[{inside}]" if inside else ""


def _dim(dim: Dim) -> str:
    """Format a dimension; the operands of sums and products are sorted, as `1 + n`."""
    if not isinstance(dim, tuple):
        return format_dim(dim)
    left, operator, right = dim
    if operator in ("+", "*"):
        return _joined(operator, sorted(map(_dim, _operands(dim, operator))))
    return _joined(operator, [_dim(left), _dim(right)])


def _joined(operator: str, texts: list[str]) -> str:
    """Join operands as one tree, always the same for the same operands."""
    if len(texts) == 1:
        return texts[0]
    middle = len(texts) // 2
    halves = (_joined(operator, half) for half in (texts[:middle], texts[middle:]))
    return f" {operator} ".join(f"({one})" if " " in one else one for one in halves)


def _operands(dim: Dim, operator: str) -> list[Dim]:
    if isinstance(dim, tuple) and dim[1] == operator:
        return [*_operands(dim[0], operator), *_operands(dim[2], operator)]
    return [dim]
