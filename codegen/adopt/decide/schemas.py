"""Decide the schemas of a package: a pure function of the static and observed facts.

Decider(found, adopted, evidence, settings).decide()    ->    Decision((SchemaModule("plate", ...),), notes)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field, structs

from codegen.adopt.decide import types
from codegen.adopt.decide.features import find_virtual_heirs, needs_mixin
from codegen.adopt.decide.fields import (
    Default,
    decide_default,
    declare_dimensions,
    dimension_names,
    dimensions,
    format_proposal,
)
from codegen.adopt.decide.imports import Imports
from codegen.adopt.decide.nodes import (
    Decision,
    Factory,
    Note,
    SchemaClass,
    SchemaField,
    SchemaModule,
    mark_name,
)
from codegen.adopt.find.fields import ABSTRACT
from codegen.adopt.find.nodes import FoundClasses, SourceClass, SourceField
from codegen.adopt.find.package import parse_quoted
from codegen.adopt.libraries import LIBRARIES
from codegen.adopt.observe.run import Observation
from codegen.options import Options

_ENUMS = frozenset(("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"))
_STATIC_LIBRARIES = ("StaticDataclass", "register_static", "static argument")
_ABSTRACT_MARKERS = ("abc.abstractmethod", "abc.abstractproperty", *ABSTRACT)


class Evidence(Struct, frozen=True):
    """Facts about a package that are not in its source."""

    seen: Observation | None = None
    """The observed values of the fields; None if nothing was observed."""
    values: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict[str, Any])
    """By class and field, what the default and the type are in the imported module."""
    untyped: frozenset[tuple[str, str]] = frozenset()
    """Classes and fields whose type is `Any`, since a narrower one was refused by the language."""


class AdoptSettings(Struct, frozen=True):
    """What is the same for all classes and in all rounds."""

    options: Options
    package: str
    """The import name of the output folder. Example: "heat._generated"."""
    is_rewritten: bool
    has_shapes: bool

    @property
    def holder(self) -> str:
        """The package that contains the output folder; empty if there is none."""
        return self.package.rpartition(".")[0]


class Decider:
    """Decides the schemas of these classes, one class at a time."""

    def __init__(
        self,
        found: FoundClasses,
        adopted: Mapping[str, SourceClass],
        evidence: Evidence,
        settings: AdoptSettings,
    ) -> None:
        self._found = found
        self._names = found.names
        self._adopted = adopted
        self._evidence = evidence
        self._is_rewritten = settings.is_rewritten
        self._has_shapes = settings.has_shapes
        self._holder = settings.holder
        self._field_names = {each.name for one in found.classes.values() for each in one.fields}
        self._imports = Imports(found)
        self._families: dict[str, list[SourceClass]] = {}
        """The classes with the same outermost base, by that base: they share the types of fields."""
        for one in adopted.values():
            self._families.setdefault(self._root(one), []).append(one)
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
        schema_classes = tuple(self._class(one) for one in classes)
        return SchemaModule(
            name=schema_name(name, self._holder),
            source=name,
            doc=doc.partition("\n")[0],
            classes=schema_classes,
            parameters=tuple(parameters),
            dimensions=tuple(
                dict.fromkeys(name for one in schema_classes for name in one.dimensions)
            ),
        )

    def _class(self, cls: SourceClass) -> SchemaClass:
        bases = [mark_name(base, "") for base in cls.bases if base in self._adopted]
        if self._is_rewritten and needs_mixin(cls, self._found):
            bases.insert(0, mark_name(cls.module, cls.mixin_name))
        for heir in find_virtual_heirs(cls, self._found) if self._is_rewritten else ():
            why = f"`{heir.full_name}` stays, and becomes a virtual subclass, as `isinstance` shows"
            self.notes.append(Note("virtual subclass", cls.full_name, heir.path, heir.line, why))
        if cls.parameters:
            bases.append(f"{mark_name('typing', 'Generic')}[{', '.join(cls.parameters)}]")
        schema_fields = tuple(self._field(cls, each) for each in cls.fields)
        options = self._class_options(cls)
        axes = self._axes(cls)
        proposal = format_proposal(axes)
        names: tuple[str, ...] = ()
        if self._has_shapes and self._can_have_dimensions(cls):
            schema_fields = tuple(declare_dimensions(each, axes) for each in schema_fields)
            names = dimension_names(schema_fields)
            if names:
                options["dims"] = f"({', '.join(names)}{',' * (len(names) == 1)})"
        elif schema_fields and proposal:
            first = structs.replace(
                schema_fields[0], comments_above=(*proposal, *schema_fields[0].comments_above)
            )
            schema_fields = (first, *schema_fields[1:])
        method = cls.methods.get("__post_init__")
        if self._is_rewritten and method is not None:
            why = (
                "it is now `__check_init__`, which runs in the constructor but not on unflattening"
            )
            name = f"{cls.full_name}.__post_init__"
            self.notes.append(Note("post-init", name, cls.path, method.lineno, why))
        return SchemaClass(
            name=cls.name,
            full_name=cls.full_name,
            bases=tuple(bases),
            options=options,
            doc=ast.get_docstring(cls.node) or "",
            fields=schema_fields,
            dimensions=names,
        )

    def _axes(self, cls: SourceClass) -> dict[str, tuple[str, ...]]:
        """Return the dimensions of the class's own dynamic fields, as observed in its objects."""
        if self._evidence.seen is None:
            return {}
        own = [each.name for each in cls.fields if each.role == "dynamic"]
        seen = [
            {name: shape[name] for name in own if name in shape}
            for shape in self._evidence.seen.shapes(cls.full_name)
        ]
        here = {each.name for each in self._adopted.values() if each.module == cls.module}
        return dimensions(seen, self._field_names | here | {*cls.parameters})

    def _can_have_dimensions(self, cls: SourceClass) -> bool:
        """Return whether it can have dimension parameters: no other class shares its fields."""
        heirs = (each for each in self._adopted.values() if cls.full_name in each.bases)
        is_whole = len(self._found.all_fields(cls)) == len(cls.fields)
        return not cls.parameters and is_whole and not any(heirs)

    def _class_options(self, cls: SourceClass) -> dict[str, str]:
        options: dict[str, str] = {}
        all_class_fields = self._found.all_fields(cls)
        if self._is_abstract(cls):
            options["abstract"] = "True"
        if not all_class_fields and cls.library not in _STATIC_LIBRARIES:
            options["use"] = '"dynamic"'
        has_init = self._found.has_own_init(cls)
        if all_class_fields and (
            has_init or all(each.is_keyword for each in all_class_fields.values())
        ):
            options["kw_only"] = "True"
        elif not _has_default_order([*all_class_fields.values()]):
            options["kw_only"] = "False"
        if self._is_rewritten and {"__eq__", "__hash__"} & cls.methods.keys():
            options["eq"] = "False"
        if has_init:
            options["init"] = "False"
        names = [each.name for each in all_class_fields.values() if each.role == "dynamic"]
        if LIBRARIES[cls.library].sorts_leaves and names != sorted(names):
            options["sort_leaves"] = "True"
        return options

    def _is_abstract(self, cls: SourceClass) -> bool:
        marks = [each for method in cls.methods.values() for each in method.decorator_list]
        marks += [each.annotation for each in cls.node.body if isinstance(each, ast.AnnAssign)]
        return any(self._names.resolve(cls.module, each) in _ABSTRACT_MARKERS for each in marks)

    def _field(self, cls: SourceClass, field: SourceField) -> SchemaField:
        seen = self._observed_types(cls, field)
        known = partial(self._reference_to, cls, field.role, seen or frozenset())
        type_ = self._field_type(cls, field, seen, known)
        if seen is None and self._evidence.seen is not None:
            why = f"no observed object has a value for `{field.name}`"
            name = f"{cls.full_name}.{field.name}"
            self.notes.append(Note("not observed", name, cls.path, field.line, why))
        value = self._evidence.values.get(cls.full_name, {}).get(field.name)
        schema_default = decide_default(field, self._names, value, known)
        if field.role == "static" and type_ == types.ANY and isinstance(field.default, ast.Lambda):
            type_ = types.IDENTITY
        options = self._field_options(cls, field, schema_default)
        return SchemaField(
            name=field.name,
            role=field.role,
            type=type_,
            default=schema_default.text,
            options=options,
            doc=field.doc,
            comments_above=field.comments_above,
        )

    def _observed_types(self, cls: SourceClass, field: SourceField) -> frozenset[str] | None:
        """Return the observed types of a field, in all classes that must share one type for it."""
        if self._evidence.seen is None:
            return None
        seen = self._evidence.seen
        family = self._families[self._root(cls)]
        types = (seen.types(other.full_name, field.name) for other in family)
        return frozenset[str]().union(*types) or None

    def _field_type(
        self,
        cls: SourceClass,
        field: SourceField,
        seen: frozenset[str] | None,
        known: types.TypeOfClass,
    ) -> str:
        family = [*self._iter_redeclarations(cls, field)]
        if any((other.full_name, field.name) in self._evidence.untyped for other, _ in family):
            return types.ANY
        match field.annotation:
            case ast.Name(id=name) if name in cls.parameters and field.role == "dynamic":
                return name
        reader = types.AnnotationReader(self._names, known)
        annotated = types.AllowedTypes()
        for owner, other in family:
            annotated.add(self._members_of_annotation(reader, owner, other))
            is_none = isinstance(other.default, ast.Constant) and other.default.value is None
            annotated.has_none |= is_none
            number = ast.Constant | ast.UnaryOp | ast.BinOp
            is_number = isinstance(other.default, number) and not is_none
            if annotated.arrays and is_number and seen is None:
                annotated.scalars.add("float")  # its default is a float or an int
        # Code that did not run may give it other values than those that were observed.
        kinds = types.written_kinds(self._written(cls, field), annotated)
        if seen is not None:
            seen |= kinds
        elif self._evidence.seen is not None:
            annotated.add(types.observed_members(kinds, known))
            return types.unobserved_type(field.role, annotated)
        decide = types.static_type if field.role == "static" else types.dynamic_type
        return decide(annotated, seen, known)

    def _written(self, cls: SourceClass, field: SourceField) -> Iterator[ast.expr]:
        """Yield what the source gives to a field: its defaults, and the arguments of calls."""
        for _, other in self._iter_redeclarations(cls, field):
            yield from (other.default,) if other.default else ()
        for one in () if "converter" in field.options else self._families[self._root(cls)]:
            yield from self._found.written.get((one.full_name, field.name), ())

    def _members_of_annotation(
        self, reader: types.AnnotationReader, cls: SourceClass, field: SourceField
    ) -> types.AllowedTypes:
        """Return what an annotation allows; the imported type if the source is not understood."""
        allowed = reader.members(field.module, field.annotation)
        text = self._evidence.values.get(cls.full_name, {}).get(field.name, {}).get("type")
        return reader.members("", parse_quoted(text)) if allowed.is_any and text else allowed

    def _iter_redeclarations(
        self, cls: SourceClass, field: SourceField
    ) -> Iterator[tuple[SourceClass, SourceField]]:
        """Yield the same field of all classes of a family: all must have one type."""
        for other in self._families[self._root(cls)]:
            yield from ((other, same) for same in other.fields if same.name == field.name)

    def _root(self, cls: SourceClass) -> str:
        """Return the outermost base with fields."""
        seen = {cls.full_name}
        while True:
            above = [base for base in cls.bases if base in self._found.classes and base not in seen]
            if not above:
                return cls.full_name
            cls = self._found.classes[above[0]]
            seen.add(cls.full_name)

    def _reference_to(
        self, cls: SourceClass, role: str, seen: frozenset[str], name: str
    ) -> str | None:
        """Return how a schema refers to a class; None if it cannot."""
        if name in self._adopted:
            target = self._adopted[name]
            if role == "static" and self._has_leaves(target):
                return None
            if not self._imports.may_refer(cls.module, target.module):
                return None
            if find_virtual_heirs(target, self._found):
                return None  # a field takes objects of these classes too
            parameters = f"[{', '.join(types.ANY for _ in target.parameters)}]"
            return mark_name(name, "") + (parameters if target.parameters else "")
        is_enum = role == "static" and not _ENUMS.isdisjoint(self._names.bases(name))
        if is_enum or (role == "dynamic" and f"object {name}" in seen and self._is_plain(name)):
            module, _, last = name.rpartition(".")
            return mark_name(module, last) if self._imports.may_refer(cls.module, module) else None
        return None

    def _has_leaves(self, cls: SourceClass) -> bool:
        fields = self._found.all_fields(cls)
        has_none = not fields and cls.library not in _STATIC_LIBRARIES
        return has_none or any(each.role == "dynamic" for each in fields.values())

    def _is_plain(self, name: str) -> bool:
        """Return whether a name is a class of the package without type parameters."""
        if name not in self._names.definitions:
            return False
        _, node = self._names.definitions[name]
        return not any(isinstance(base, ast.Subscript) for base in node.bases)

    def _field_options(
        self, cls: SourceClass, field: SourceField, default: Default
    ) -> dict[str, str]:
        options: dict[str, str] = {}
        factory = default.factory
        if default.expression:
            name = f"_{cls.name.lower()}_{field.name.strip('_')}_default"
            is_shared = field.factory is None
            self.factories.append(
                Factory(name, cls.module, cls.full_name, default.expression, is_shared)
            )
            factory = f"{cls.module}:{name}"
        if factory:
            options["factory"] = f'"{factory}"'
        converter = field.options.get("converter")
        if converter is not None:
            name = self._names.resolve(field.module, converter)
            module, _, last = name.rpartition(".")
            options["convert"] = f'"{module}:{last}"'
        return options


def _has_default_order(fields: Sequence[SourceField]) -> bool:
    """Return whether fields are positional exactly up to the first field with a default."""
    required = [each.is_required for each in fields]
    first = required.index(False) if False in required else len(fields)
    return all(each.is_keyword == (index >= first) for index, each in enumerate(fields))


def schema_name(module: str, holder: str) -> str:
    """Return the schema name of a module, whose output is in the package `holder`."""
    return module.removeprefix(f"{holder}.") if holder else module
