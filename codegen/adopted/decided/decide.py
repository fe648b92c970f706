"""Decide the schemas of a package: a pure function of the static and observed facts.

Decider(found, names, adopted, evidence, ...).decide()    ->    Decision((SchemaModule("plate", ...),), notes)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field, structs

from codegen.adopted.decided import shapes, types
from codegen.adopted.decided.defaults import Default, default
from codegen.adopted.decided.imports import Imports
from codegen.adopted.decided.nodes import (
    Decision,
    Factory,
    Note,
    SchemaClass,
    SchemaField,
    SchemaModule,
    named,
)
from codegen.adopted.finding.fields import ABSTRACT, all_fields, in_order
from codegen.adopted.finding.names import PackageNames, unquoted
from codegen.adopted.finding.nodes import Found, SourceClass, SourceField
from codegen.adopted.mechanisms import MECHANISMS
from codegen.adopted.observed.run import Observation

_ENUMS = frozenset(("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"))
_STATIC = ("StaticDataclass", "register_static", "static argument")
_ABSTRACT_MARKS = ("abc.abstractmethod", "abc.abstractproperty", *ABSTRACT)


class Evidence(Struct, frozen=True):
    """Facts about a package that are not in its source."""

    seen: Observation | None = None
    """The observed values of the fields; None if nothing was observed."""
    values: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict[str, Any])
    """By class and field, what the default and the type are in the imported module."""
    vague: frozenset[tuple[str, str]] = frozenset()
    """Classes and fields whose type is `Any`, since a narrower one was refused by the language."""


class Decider:
    """Decides the schemas of these classes, one class at a time."""

    def __init__(
        self,
        found: Found,
        names: PackageNames,
        adopted: Mapping[str, SourceClass],
        evidence: Evidence,
        *,
        is_rewritten: bool,
        has_shapes: bool,
        holder: str,
    ) -> None:
        self._found = found
        self._names = names
        self._adopted = adopted
        self._evidence = evidence
        self._is_rewritten = is_rewritten
        self._has_shapes = has_shapes
        self._field_names = {each.name for one in found.classes.values() for each in one.fields}
        self._holder = holder
        self._imports = Imports(found)
        self.notes: list[Note] = []
        self.factories: list[Factory] = []

    def decide(self) -> Decision:
        """Return the decision for all modules."""
        by_module: dict[str, list[SourceClass]] = {}
        for one in self._adopted.values():
            by_module.setdefault(one.module, []).append(one)
        modules = tuple(self._module(name, several) for name, several in by_module.items())
        return Decision(modules, tuple(self.notes), tuple(self.factories))

    def _module(self, name: str, classes: list[SourceClass]) -> SchemaModule:
        doc = ast.get_docstring(self._found.modules[name].tree) or ""
        parameters = dict.fromkeys(one for each in classes for one in each.parameters)
        made = tuple(self._class(one) for one in classes)
        return SchemaModule(
            name=schema_name(name, self._holder),
            source=name,
            doc=doc.partition("\n")[0],
            classes=made,
            parameters=tuple(parameters),
            dimensions=tuple(dict.fromkeys(name for one in made for name in one.dimensions)),
        )

    def _class(self, one: SourceClass) -> SchemaClass:
        fields = in_order(one)
        bases = [named(base, "") for base in one.bases if base in self._adopted]
        if self._is_rewritten and needs_mixin(one, self._found):
            bases.insert(0, named(one.module, mixin_name(one)))
        if one.parameters:
            bases.append(f"{named('typing', 'Generic')}[{', '.join(one.parameters)}]")
        made = tuple(self._field(one, each) for each in fields)
        options = self._options(one)
        axes = self._axes(one)
        proposal = shapes.proposal(axes)
        names: tuple[str, ...] = ()
        if self._has_shapes and self._stands_alone(one):
            made = tuple(shapes.declared(each, axes) for each in made)
            names = shapes.names(made)
            if names:
                options["dims"] = f"({', '.join(names)}{',' * (len(names) == 1)})"
        elif made and proposal:
            first = structs.replace(made[0], above=(*proposal, *made[0].above))
            made = (first, *made[1:])
        method = one.methods.get("__post_init__")
        if self._is_rewritten and method is not None:
            why = (
                "it is now `__check_init__`, which runs in the constructor but not on unflattening"
            )
            name = f"{one.full_name}.__post_init__"
            self.notes.append(Note("post-init", name, one.path, method.lineno, why))
        return SchemaClass(
            name=one.name,
            full_name=one.full_name,
            bases=tuple(bases),
            options=options,
            doc=ast.get_docstring(one.node) or "",
            fields=made,
            dimensions=names,
        )

    def _axes(self, one: SourceClass) -> dict[str, tuple[str, ...]]:
        """Return the dimensions of the class's own dynamic fields, as observed in its objects."""
        if self._evidence.seen is None:
            return {}
        own = [each.name for each in one.fields if each.role == "dynamic"]
        seen = [
            {name: shape[name] for name in own if name in shape}
            for shape in self._evidence.seen.shapes(one.full_name)
        ]
        here = {each.name for each in self._adopted.values() if each.module == one.module}
        return shapes.dimensions(seen, self._field_names | here | {*one.parameters})

    def _stands_alone(self, one: SourceClass) -> bool:
        """Return whether it can have dimension parameters: no other class shares its fields."""
        heirs = (each for each in self._adopted.values() if one.full_name in each.bases)
        is_whole = len(all_fields(one, self._found.classes)) == len(one.fields)
        return not one.parameters and is_whole and not any(heirs)

    def _options(self, one: SourceClass) -> dict[str, str]:
        options: dict[str, str] = {}
        every = all_fields(one, self._found.classes)
        if self._is_abstract(one):
            options["abstract"] = "True"
        if not every and one.mechanism not in _STATIC:
            options["use"] = '"dynamic"'
        if every and all(each.is_keyword for each in every.values()):
            options["kw_only"] = "True"
        elif not _is_plain([*every.values()]):
            options["kw_only"] = "False"
        if self._is_rewritten and {"__eq__", "__hash__"} & one.methods.keys():
            options["eq"] = "False"
        return options

    def _is_abstract(self, one: SourceClass) -> bool:
        marks = [each for method in one.methods.values() for each in method.decorator_list]
        marks += [each.annotation for each in one.node.body if isinstance(each, ast.AnnAssign)]
        return any(self._names.resolve(one.module, each) in _ABSTRACT_MARKS for each in marks)

    def _field(self, one: SourceClass, each: SourceField) -> SchemaField:
        seen = self._seen(one, each)
        known = partial(self._known, one, each.role)
        type_ = self._type(one, each, seen, known)
        if seen is None and self._evidence.seen is not None:
            self._note(
                "not observed", one, each, f"no observed object has a value for `{each.name}`"
            )
        value = self._evidence.values.get(one.full_name, {}).get(each.name)
        made = default(each, self._names, value, known)
        if each.role == "static" and type_ == types.ANY and isinstance(each.default, ast.Lambda):
            type_ = types.IDENTITY
        options = self._options_of(one, each, made)
        return SchemaField(
            name=each.name,
            role=each.role,
            type=type_,
            default=made.text,
            options=options,
            doc=each.doc,
            above=each.above,
        )

    def _seen(self, one: SourceClass, each: SourceField) -> frozenset[str] | None:
        """Return the observed types of a field, in all classes that must share one type for it."""
        if self._evidence.seen is None:
            return None
        root = self._root(one)
        found: set[str] = set()
        for other in self._adopted.values():
            if self._root(other) == root:
                found |= self._evidence.seen.types(other.full_name, each.name)
        return frozenset(found) or None

    def _type(
        self, one: SourceClass, each: SourceField, seen: frozenset[str] | None, known: types.Known
    ) -> str:
        family = [*self._redeclared(one, each)]
        if any((other.full_name, each.name) in self._evidence.vague for other, _ in family):
            return types.ANY
        match each.annotation:
            case ast.Name(id=name) if name in one.parameters and each.role == "dynamic":
                return name
        reader = types.Annotations(self._names, known)
        annotated = types.Members()
        for owner, other in family:
            annotated.add(self._annotated(reader, owner, other))
            is_none = isinstance(other.default, ast.Constant) and other.default.value is None
            annotated.has_none |= is_none
            number = ast.Constant | ast.UnaryOp | ast.BinOp
            if annotated.arrays and isinstance(other.default, number) and seen is None:
                annotated.scalars.add("float")  # its default is a float or an int
        decide = types.static if each.role == "static" else types.dynamic
        return decide(annotated, seen, known)

    def _annotated(
        self, reader: types.Annotations, one: SourceClass, each: SourceField
    ) -> types.Members:
        """Return what an annotation allows; the imported type if the source is not understood."""
        found = reader.members(each.module, each.annotation)
        text = self._evidence.values.get(one.full_name, {}).get(each.name, {}).get("type")
        return reader.members("", unquoted(text)) if found.is_any and text else found

    def _redeclared(
        self, one: SourceClass, each: SourceField
    ) -> Iterator[tuple[SourceClass, SourceField]]:
        """Yield the same field of all classes with the same root: all must have one type."""
        root = self._root(one)
        for other in self._adopted.values():
            if self._root(other) == root:
                yield from ((other, field) for field in other.fields if field.name == each.name)

    def _root(self, one: SourceClass) -> str:
        """Return the outermost base with fields."""
        seen = {one.full_name}
        while True:
            above = [base for base in one.bases if base in self._found.classes and base not in seen]
            if not above:
                return one.full_name
            one = self._found.classes[above[0]]
            seen.add(one.full_name)

    def _known(self, one: SourceClass, role: str, name: str) -> str | None:
        """Return how a schema refers to a class; None if it cannot."""
        if name in self._adopted:
            target = self._adopted[name]
            if role == "static" and self._has_leaves(target):
                return None
            if not self._imports.may_name(one.module, target.module):
                return None
            parameters = f"[{', '.join(types.ANY for _ in target.parameters)}]"
            return named(name, "") + (parameters if target.parameters else "")
        if role == "static" and self._is_enum(name):
            module, _, last = name.rpartition(".")
            return named(module, last) if self._imports.may_name(one.module, module) else None
        return None

    def _has_leaves(self, one: SourceClass) -> bool:
        fields = all_fields(one, self._found.classes)
        has_none = not fields and one.mechanism not in _STATIC
        return has_none or any(each.role == "dynamic" for each in fields.values())

    def _is_enum(self, name: str) -> bool:
        module, _, last = name.rpartition(".")
        if module not in self._found.modules:
            return False
        return any(
            isinstance(node, ast.ClassDef)
            and node.name == last
            and any(self._names.resolve(module, base) in _ENUMS for base in node.bases)
            for node in self._found.modules[module].tree.body
        )

    def _options_of(self, one: SourceClass, each: SourceField, made: Default) -> dict[str, str]:
        options: dict[str, str] = {}
        factory = made.factory
        if made.expression:
            name = f"_{one.name.lower()}_{each.name.strip('_')}_default"
            is_shared = each.factory is None
            self.factories.append(
                Factory(name, one.module, one.full_name, made.expression, is_shared)
            )
            factory = f"{one.module}:{name}"
        if factory:
            options["factory"] = f'"{factory}"'
        converter = each.options.get("converter")
        if converter is not None:
            name = self._names.resolve(each.module, converter)
            module, _, last = name.rpartition(".")
            options["convert"] = f'"{module}:{last}"'
        return options

    def _note(self, kind: str, one: SourceClass, each: SourceField, why: str) -> None:
        name = f"{one.full_name}.{each.name}"
        self.notes.append(Note(kind, name, one.path, each.line, why))


def _is_plain(fields: Sequence[SourceField]) -> bool:
    """Return whether fields are positional exactly up to the first field with a default."""
    required = [each.is_required for each in fields]
    first = required.index(False) if False in required else len(fields)
    return all(each.is_keyword == (index >= first) for index, each in enumerate(fields))


def schema_name(module: str, holder: str) -> str:
    """Return the schema name of a module, whose output is in the package `holder`."""
    return module.removeprefix(f"{holder}.") if holder else module


def mixin_name(one: SourceClass) -> str:
    """Return the name of the mixin that contains the methods of a class in its source."""
    plain = one.name.lstrip("_")
    return f"_{plain}{'_' * (len(one.name) - len(plain))}Methods"


def needs_mixin(one: SourceClass, found: Found) -> bool:
    """Return whether a class still has content after its fields are removed."""
    body = one.node.body[1:] if ast.get_docstring(one.node) is not None else one.node.body
    names = {each.name for each in one.fields}
    for statement in body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name)) if name in names:
                continue
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case _:
                return True
    return any(is_plain_base(one, base, found) for base in one.bases)


def is_plain_base(one: SourceClass, base: str, found: Found) -> bool:
    """Return whether a base is a Python class of the package that is not a pytree: a mixin."""
    top = found.package.partition(".")[0]
    is_known = base in found.classes or base in MECHANISMS[one.mechanism].bases
    return not is_known and bool(top) and base.startswith(f"{top}.")
