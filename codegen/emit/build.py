"""Turn a checked program into the views that the templates print.

builder = Builder(checked, Options(...))
builder.view(builder.names(module))    ->    ModuleView("heat.py", ...)
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.check.abstract_signature import AbstractSignatures
from codegen.check.check import Checked
from codegen.check.contents import ObjectContents
from codegen.emit.annotations import AnnotationStyle, Annotator, evaluated_annotation, has_parameter
from codegen.emit.class_traits import ClassTraits, find_traits
from codegen.emit.classes import class_view, member_checks, require_mixins_call
from codegen.emit.constructors import signature_of
from codegen.emit.expressions import (
    assignment,
    call,
    dict_of,
    doc_lines,
    docstring,
    expression,
    keywords,
    list_of,
    py_str,
)
from codegen.emit.functions import function_views
from codegen.emit.names import ModuleNames, member_names, modules_around, schema_names
from codegen.emit.view import (
    Definition,
    EnumView,
    LinesView,
    MemberView,
    ModuleView,
    PackageView,
)
from codegen.options import Options
from codegen.program.declaration_tables import declared_renames, imported_names
from codegen.program.nodes import Alias, Enum, Module, Program
from codegen.program.references import named_functions, refs_in_types
from codegen.program.types import Ref
from codegen.runtime import PROTOCOL
from codegen.schema.names import DRAFT_MEMBERS, MEMBERS


class Builder:
    """Builds the views of a program's modules, each independently."""

    def __init__(self, checked: Checked, options: Options) -> None:
        self.facts = checked.facts
        self.options = options
        self.signatures = AbstractSignatures(ObjectContents(checked.program))
        self.all_traits = find_traits(checked)

    def names(self, module: Module) -> ModuleNames:
        """Return the names of one module, before anything is imported."""
        taken = schema_names(module) | _keywords(module, self.signatures)
        imported = frozenset(name for _, name in module.refs)
        names = ModuleNames(module, self.facts, taken, imported=imported)
        names.is_vendored = self.options.runtime == "vendored"
        return names

    def view(self, names: ModuleNames) -> ModuleView:
        """Return the view of one module."""
        return _module(names, self.all_traits, self.signatures, self.options)


def _keywords(module: Module, signatures: AbstractSignatures) -> frozenset[str]:
    """Return the parameters of `abstract` of the module's classes."""
    found = [signature_of(node, signatures) for node in module.classes]
    return frozenset(o.keyword for one in found if one is not None for o in one.free)


def _module(
    names: ModuleNames,
    all_traits: dict[Ref, ClassTraits],
    signatures: AbstractSignatures,
    options: Options,
) -> ModuleView:
    module = names.module
    definitions: list[Definition] = []
    if module.typevars:
        definitions.append(LinesView(_typevars(module, names)))
    definitions += _aliases(module, names, is_late=False)
    for enum in module.enums:
        definitions.append(_enum(enum, names))
        names.defined.add(enum.ref)
    for node in module.classes:
        definitions += require_mixins_call(node, names, signatures.contents.program.classes)
        definitions.append(class_view(node, names, all_traits, signatures))
        definitions += member_checks(all_traits[node.ref])
    definitions += _aliases(module, names, is_late=True)
    for function in module.functions:
        definitions += function_views(function, names, signatures.contents, checks=options.checks)
    doc = doc_lines(module.doc) or [f"Classes and functions of the schema `{module.name}`."]
    return ModuleView(
        path=module.name.replace(".", "/") + ".py",
        doc=docstring(doc, 0),
        # This shortens an import by a fifth.
        imports_annotations=bool(module.classes or module.functions),
        protocol=_protocol_call(names, options.holder, signatures.contents.program),
        all_names=_list(sorted(_public_names(module))),
        definitions=tuple(definitions),
    )


def _protocol_call(names: ModuleNames, holder: str, program: Program) -> str:
    """Check the protocol, and state the modules from which this one imports functions and mixins,
    what it imports from outside, and former names.
    """
    module = names.module
    if not (module.classes or module.functions or module.enums):
        return ""
    names.runtime()
    called = {path.module for path in named_functions(module)}
    facts = keywords(
        implementations=_list(sorted(called | modules_around(names, holder))),
        imports=_list(imported_names(module)),
        was=dict_of(
            (py_str(name), _list(old)) for name, old in declared_renames(module, program).items()
        ),
    )
    return call(f"_rt.protocol_v{PROTOCOL}", "__name__", *facts)


def _list(texts: Iterable[str]) -> str:
    return list_of(*map(py_str, texts))


def _public_names(module: Module) -> list[str]:
    return [name for name in module.defined_names if not name.startswith("_")]


def _typevars(module: Module, names: ModuleNames) -> tuple[str, ...]:
    lines: list[str] = []
    for typevar in module.typevars:
        items = [py_str(typevar.name)]
        items += [evaluated_annotation(c, names) for c in typevar.constraints]
        if typevar.bound is not None:
            items.append(f"bound={evaluated_annotation(typevar.bound, names)}")
        lines.append(f"{typevar.name} = {call(names.use('typing', 'TypeVar'), *items)}")
    return tuple(lines)


def _aliases(module: Module, names: ModuleNames, *, is_late: bool) -> list[Definition]:
    """Return the aliases that name no class, or those after the classes."""
    lines: list[str] = []
    for alias in module.aliases:
        if bool(refs_in_types(alias.type)) == is_late:
            alias_type = names.use("typing", "TypeAlias")
            lines.append(
                assignment(alias.ref.name, alias_type, evaluated_annotation(alias.type, names))
            )
            if _has_one_meaning(alias, names):
                text = Annotator(AnnotationStyle.PLAIN, names).format_without_alias(alias.type)
                names.aliases[alias.ref] = text
    return [LinesView(tuple(lines))] if lines else []


def _has_one_meaning(alias: Alias, names: ModuleNames) -> bool:
    """Return whether an alias means the same in every type below it."""
    if has_parameter(alias.type) or any(map(names.is_forward, refs_in_types(alias.type))):
        return False  # Its text would need brackets, or is a string.
    # In a class with such a member the name would mean the member, and in a function its result.
    hidden = member_names(names.module) | MEMBERS | DRAFT_MEMBERS | {"result"}
    return alias.ref.name not in hidden


def _enum(node: Enum, names: ModuleNames) -> EnumView:
    enum = names.use("enum", "")
    members = tuple(
        MemberView(
            member.name,
            f"{enum}.auto()" if member.value is None else expression(member.value, names),
            docstring(doc_lines(member.doc), 4) if member.doc else "",
        )
        for member in node.members
    )
    return EnumView(
        name=node.ref.name,
        base=f"{enum}.{node.kind}",
        doc=docstring(doc_lines(node.doc) or [f"{node.ref.name}."], 4),
        members=members,
    )


def packages(modules: Iterable[str]) -> tuple[PackageView, ...]:
    """Return the packages that hold some modules: every folder is one."""
    return tuple(
        PackageView(
            path=f"{folder}__init__.py",
            doc=docstring(
                [f"Modules generated from the schemas in `{folder.rstrip('/')}`."]
                if folder
                else ["Modules generated from schemas. Import each of them by its name."],
                0,
            ),
        )
        for folder in folders(name.replace(".", "/") for name in modules)
    )


def folders(paths: Iterable[str]) -> list[str]:
    """Return every folder that contains some files, from the top: "", "a/", "a/b/"."""
    folders = {""}
    for path in paths:
        parts = path.split("/")[:-1]
        folders |= {"/".join(parts[:n]) + "/" for n in range(1, len(parts) + 1)}
    return sorted(folders)
