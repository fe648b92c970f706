"""Laws: for each class, the tests that hold it to what generated code promises.

class Grid: nx: static[int]    ->    class TestGrid:
                                         @laws.given(any_Grid())
                                         def test_round_trip(self, value: heat.Grid) -> None:
                                             laws.round_trip(value)
"""

from __future__ import annotations

from msgspec.structs import replace

from codegen import installation
from codegen.check.check import Checked
from codegen.check.drawing import Drawing
from codegen.emit.annotations import erased
from codegen.emit.build import folders
from codegen.emit.expressions import docstring, paragraph
from codegen.emit.names import ModuleNames, import_blocks
from codegen.emit.render import environment
from codegen.emit.rendered import Rendered, with_header
from codegen.emit.view import PackageView
from codegen.emit.wrap import wrap
from codegen.laws.nodes import (
    LawClassView,
    LawFunctionView,
    LawModuleView,
    LawsView,
    StrategyModuleView,
)
from codegen.laws.strategies import Laws, module_file, strategy_module, strategy_name
from codegen.options import Options
from codegen.program.nodes import Class, Field, Function, Module, Program
from codegen.program.types import Ref


def calls_of(program: Program) -> dict[Ref, Function]:
    """Name the arguments of every function that can be called with what is drawn."""
    return {
        Ref(module.name, f"arguments_of_{function.name}"): function
        for module in program.modules
        for function in module.functions
        if function.parameters
    }


def with_arguments(program: Program, calls: dict[Ref, Function]) -> Program:
    """Add to the classes of a program those whose objects are the arguments of a function."""
    modules = [_with_arguments(module, calls) for module in program.modules]
    return Program(tuple(modules))


def _with_arguments(module: Module, calls: dict[Ref, Function]) -> Module:
    added = [_arguments(ref, calls[ref], module) for ref in calls if ref.module == module.name]
    return replace(module, classes=(*module.classes, *added))


def _arguments(ref: Ref, function: Function, module: Module) -> Class:
    fields = tuple(
        Field(one.name, one.role or "dynamic", one.type, None, None, None, None, (), "", ref)
        for one in function.parameters
    )
    return Class(
        ref=ref, base=None, mixins=(), type_parameters=(), dims=(), abstract=False, eq=True, use=None,
        kw_only=True, draft=False, registration=None, own_fields=fields, fields=fields,
        constants=(), methods=(), shares=(), reserved=(), migrations=(), doc="",
        source=module.source,
    )  # fmt: skip


def build_laws(checked: Checked, options: Options) -> LawsView:
    """Return the view of the laws of a program."""
    calls = calls_of(checked.program)
    program = with_arguments(checked.program, calls)
    laws = Laws(program, Drawing(program), options, calls)
    modules: list[LawModuleView | StrategyModuleView] = []
    for module in program.modules:
        if not module.classes:
            continue
        strategies = frozenset(strategy_name(node.ref) for node in module.classes)
        names = ModuleNames(module, checked.facts, strategies)
        modules.append(strategy_module(module, names, laws))
        names = ModuleNames(module, checked.facts, frozenset(("value", "pair", "values")))
        concrete = [node for node in module.classes if not node.abstract]
        if concrete:
            modules.append(_module(module, concrete, names, laws, checked))
    return LawsView(tuple(modules), tuple(_packages([m.path for m in modules])))


def _packages(paths: list[str]) -> list[PackageView]:
    doc = docstring(["Laws of generated classes, and strategies that draw objects of them."], 0)
    return [PackageView(f"{folder}__init__.py", doc) for folder in folders(paths)]


def _module(
    module: Module, concrete: list[Class], names: ModuleNames, laws: Laws, checked: Checked
) -> LawModuleView:
    can_be_drawn = laws.drawing.can_be_drawn
    drawable = [node for node in concrete if can_be_drawn(node.ref) and node.ref not in laws.calls]

    def can_be_called(node: Class) -> bool:
        return node.ref in laws.calls and can_be_drawn(node.ref)

    support = names.use(f"{names.depth}_laws", "laws")
    classes = tuple(_class(node, names, laws, checked) for node in drawable)
    functions = tuple(_function(node, names, laws) for node in concrete if can_be_called(node))
    is_donating = any(view.donated for view in classes)
    is_saved = any(view.packed for view in classes)
    pack, unpack = (
        laws.support("checkpoint", name, names) if is_saved else "" for name in ("pack", "unpack")
    )
    strategies = tuple(view.strategy for view in classes)
    folder, slash, name = module.name.replace(".", "/").rpartition("/")
    return LawModuleView(
        path=f"{folder}{slash}test_{name}_laws.py",
        module=f"{laws.options.package}.{module.name}",
        notes=tuple(
            _note(node)
            for node in concrete
            if not can_be_drawn(node.ref) and node.ref not in laws.calls
        ),
        laws=support,
        function=laws.support("donation", "DonatingFunction", names) if is_donating else "",
        saved=names.use(f"{names.depth}_laws", "saved") if is_saved else "",
        pack=pack,
        unpack=unpack,
        any_name=names.use("typing", "Any") if len(classes) > 1 else "",
        imports=import_blocks(names),
        classes=classes,
        functions=functions,
        shared=(strategies,) if len(classes) > 1 else (),
    )


def _note(node: Class) -> str:
    text = (
        f"No laws of `{node.ref.name}`: every object of it would hold another one, without an "
        "end, so none can be drawn."
    )
    return "\n".join(f"# {line}" for line in paragraph(text, 86))


def _strategy(node: Class, names: ModuleNames) -> str:
    return f"{names.use('.', module_file(node.ref.module))}.{strategy_name(node.ref)}"


def _function(node: Class, names: ModuleNames, laws: Laws) -> LawFunctionView:
    function = laws.calls[node.ref].name
    module = laws.module(node.ref.module, names)
    calls = names.use(f"{names.depth}_laws", "calls")
    return LawFunctionView(
        name=function,
        function=f"{module}.{function}",
        strategy=_strategy(node, names),
        type=f"{calls}.Arguments",
        law=f"{calls}.trace_once",
    )


def _class(node: Class, names: ModuleNames, laws: Laws, checked: Checked) -> LawClassView:
    type = erased(node, names, laws.cls(node.ref, names))
    return LawClassView(
        name=node.ref.name,
        type=type,
        strategy=_strategy(node, names),
        packed=(type,) if "checkpoint" in laws.options.features else (),
        replaced=(type,) if node.fields else (),
        donated=(type,) if laws.has_calls and node.ref in checked.facts.donating else (),
    )


# They are for Python 3.11 too, whatever version their users lint for.
_PRAGMA = "# ruff: noqa: RUF100, UP036, UP037, UP040, UP046, UP047\n"


def render_laws(view: LawsView) -> tuple[Rendered, ...]:
    """Return every file that a build writes into the folder of laws, sorted by path."""
    files = [_file(module) for module in view.modules]
    files += [_file(package) for package in view.packages]
    files += [
        Rendered(f"_laws/{file.name}", with_header(_PRAGMA + file.read_text(encoding="utf-8")))
        for file in (installation.package() / "_laws").iterdir()
        if file.name.endswith(".py")
    ]
    return tuple(sorted(files, key=lambda file: file.path))


def _file(view: LawModuleView | StrategyModuleView | PackageView) -> Rendered:
    flat = environment().get_template(view.template).render(view=view)
    return Rendered(view.path, with_header(wrap(flat)))
