"""Turn a checked program into what the templates print.

build(checked, registration="exact")    ->    ProgramView(modules=(ModuleView("heat.py", ...),), runtime=("keys", ...))
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.checked.nodes import Checked
from codegen.program.nodes import Class, Enum, Module, Program
from codegen.program.types import Ref
from codegen.progress import steps
from codegen.schema.nodes import Registration
from codegen.view import mixins
from codegen.view.annotations import evaluated
from codegen.view.classes import class_view
from codegen.view.docs import enum_doc
from codegen.view.drawing import Drawing
from codegen.view.functions import function_views
from codegen.view.imports import import_blocks
from codegen.view.kinds import Kind
from codegen.view.layout import Bracket, call, flat, parenthesized, statement
from codegen.view.literals import doc_lines, docstring, expression, py_str
from codegen.view.names import Names, names_of
from codegen.view.nodes import (
    Definition,
    EnumView,
    LinesView,
    ModuleView,
    PackageView,
    ProgramView,
)
from codegen.view.plans import Plans


def build(checked: Checked, registration: Registration) -> ProgramView:
    """Return the view of a program; `registration` is how a class is registered that does not say."""
    builder = Builder(checked, registration)
    modules = steps("planning the text", checked.program.modules)
    views = tuple(builder.module(module) for module in modules)
    names = [module.name for module in checked.program.modules]
    return ProgramView(views, packages(names), runtime_of(views))


class Builder:
    """Makes the views of a program's modules, each by itself."""

    def __init__(self, checked: Checked, registration: Registration) -> None:
        program = checked.program
        self.facts = checked.facts
        self.kinds = {
            ref: Kind(
                node=node,
                is_static=checked.facts.is_static(ref),
                registration=_registered(node, registration),
                checks_init=_has_mixins(node, program),
            )
            for ref, node in program.classes.items()
        }
        self.plans = Plans(Drawing(program))

    def module(self, module: Module) -> ModuleView:
        """Return the view of one module."""
        kinds, plans = self.kinds, self.plans
        names = Names(module, self.facts, names_of(module) | _keywords(module, plans))
        return _module(module, names, kinds, plans)


def runtime_of(modules: Iterable[ModuleView]) -> tuple[str, ...]:
    """Return the files of the support package that modules need."""
    return tuple(sorted({name for module in modules for name in module.runtime}))


def _keywords(module: Module, plans: Plans) -> frozenset[str]:
    """Return the names of sizes, and of what nested classes leave open."""
    found: set[str] = set()
    for node in module.classes:
        if node.has_makers:
            plan = plans.plan(node.ref)
            found |= {o.keyword for o in plan.opens} | {n.removeprefix("*") for n in plan.sizes}
    return frozenset(found)


def _has_mixins(node: Class, program: Program) -> bool:
    if node.mixins:
        return True
    return node.base is not None and _has_mixins(program.classes[node.base.ref], program)


def _module(module: Module, names: Names, kinds: dict[Ref, Kind], plans: Plans) -> ModuleView:
    definitions: list[Definition] = []
    typevars = _typevars(module, names)
    if typevars:
        definitions.append(LinesView(tuple(typevars)))
    for enum in module.enums:
        definitions.append(_enum(enum, names))
        names.defined.add(enum.ref)
    for node in module.classes:
        definitions += mixins.required(node, names, plans.drawing.program.classes)
        definitions.append(class_view(node, names, kinds, plans))
        definitions += mixins.checked(kinds[node.ref], names)
    aliases = _aliases(module, names)
    if aliases:
        definitions.append(LinesView(tuple(aliases)))
    for function in module.functions:
        definitions += function_views(function, names)
    doc = doc_lines(module.doc) or [f"Classes and functions of the schema `{module.name}`."]
    return ModuleView(
        path=module.name.replace(".", "/") + ".py",
        doc=(docstring(doc, 0),),
        import_blocks=(*_future(module), *import_blocks(names)),
        all_names=_all(module),
        definitions=tuple(definitions),
        runtime=tuple(sorted(names.runtime_files)),
    )


def _future(module: Module) -> tuple[str, ...]:
    """Leave annotations unevaluated, where there are some: that takes a fifth off an import."""
    return ("from __future__ import annotations",) * bool(module.classes or module.functions)


def _all(module: Module) -> str:
    public = sorted(name for name in module.declared if not name.startswith("_"))
    return statement("__all__ = ", Bracket("[", tuple(py_str(name) for name in public), "]"))


def _typevars(module: Module, names: Names) -> list[str]:
    lines: list[str] = []
    for typevar in module.typevars:
        items = [py_str(typevar.name)]
        items += [flat(evaluated(c, names)) for c in typevar.constraints]
        if typevar.bound is not None:
            items.append(f"bound={flat(evaluated(typevar.bound, names))}")
        make = call(names.use("typing", "TypeVar"), *items)
        lines.append(statement(f"{typevar.name} = ", make))
    return lines


def _aliases(module: Module, names: Names) -> list[str]:
    lines: list[str] = []
    for alias in module.aliases:
        prefix = f"{alias.ref.name}: {names.use('typing', 'TypeAlias')} = "
        node = evaluated(alias.type, names)
        lines.append(prefix + parenthesized(node, 0, len(prefix)))
    return lines


def _enum(node: Enum, names: Names) -> EnumView:
    enum = names.use("enum", "")
    lines = enum_doc(node)
    members = [
        f"    {member.name} = {enum}.auto()"
        if member.value is None
        else statement(f"{member.name} = ", expression(member.value, names), 4)
        for member in node.members
    ]
    return EnumView(
        name=node.ref.name,
        base=f"{enum}.{node.kind}",
        doc=docstring(lines or [f"{node.ref.name}."], 4),
        members=("", *members) if members else (),
    )


def packages(modules: Iterable[str]) -> tuple[PackageView, ...]:
    """Return the packages that hold some modules: every folder is one."""
    return tuple(
        PackageView(
            path=f"{folder}__init__.py",
            doc=docstring(
                [f"Modules generated from the schemas in `{folder.rstrip('/')}`."]
                if folder
                else ["Modules generated from schemas; import them one by one."],
                0,
            ),
        )
        for folder in folders(name.replace(".", "/") for name in modules)
    )


def folders(paths: Iterable[str]) -> list[str]:
    """Return every folder that some files lie in, from the top: "", "a/", "a/b/"."""
    found = {""}
    for path in paths:
        parts = path.split("/")[:-1]
        found |= {"/".join(parts[:n]) + "/" for n in range(1, len(parts) + 1)}
    return sorted(found)


def _registered(node: Class, registration: Registration) -> Registration:
    """Say how a class is registered: JAX's own function would flatten borrowed parts too."""
    return "exact" if node.shares else node.registration or registration
