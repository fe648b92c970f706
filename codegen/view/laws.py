"""Laws: for each class, the tests that hold it to what generated code promises.

class Grid: nx: static[int]    ->    class TestGrid:
                                         @laws.given(any_Grid())
                                         def test_round_trip(self, value: heat.Grid) -> None:
                                             laws.round_trip(value)
"""

from __future__ import annotations

from codegen.checked.nodes import Checked
from codegen.program.nodes import Class, Module
from codegen.view.annotations import erased
from codegen.view.build import folders
from codegen.view.drawing import Drawing
from codegen.view.imports import import_blocks
from codegen.view.law_nodes import (
    LawClassView,
    LawModuleView,
    LawsView,
    LawView,
    StrategyModuleView,
)
from codegen.view.layout import Node, call, fit, signature, statement, subscript
from codegen.view.literals import docstring, paragraph
from codegen.view.names import Names
from codegen.view.nodes import PackageView
from codegen.view.strategies import Laws, module_file, strategy_module, strategy_name, title

# Test, law, and what is drawn for it: one object, or a pair made by a method.
_LAWS = (
    ("round_trip", "round_trip", ""),
    ("equal_copies_are_equal", "are_equal", "copies"),
    ("equality_is_exact", "agree", "neighbours"),
    ("equal_copies_trace_once", "trace_once", "copies"),
    ("values_that_differ_trace_twice", "trace_twice", "neighbours"),
    ("placeholders", "placeholders", ""),
    ("pickle", "pickled", ""),
    ("replace", "replaced", "neighbours"),
    ("declared_shapes", "as_declared", ""),
)


def build_laws(checked: Checked, package: str) -> LawsView:
    """Return the view of the laws of a program, whose output is imported as `package`."""
    program = checked.program
    laws = Laws(program, Drawing(program), package)
    modules: list[LawModuleView | StrategyModuleView] = []
    for module in program.modules:
        if not module.classes:
            continue
        strategies = frozenset(strategy_name(node.ref) for node in module.classes)
        names = Names(module, checked.facts, strategies)
        modules.append(strategy_module(module, names, laws))
        names = Names(module, checked.facts, frozenset(("value", "pair", "values")))
        concrete = [node for node in module.classes if not node.abstract]
        if concrete:
            modules.append(_module(module, concrete, names, laws, checked))
    return LawsView(tuple(modules), tuple(_packages([m.path for m in modules])))


def _packages(paths: list[str]) -> list[PackageView]:
    doc = docstring(["Laws of generated classes, and strategies that draw objects of them."], 0)
    return [PackageView(f"{folder}__init__.py", doc) for folder in folders(paths)]


def _module(
    module: Module, concrete: list[Class], names: Names, laws: Laws, checked: Checked
) -> LawModuleView:
    can_be_drawn = laws.drawing.can_be_drawn
    drawable = [node for node in concrete if can_be_drawn(node.ref)]
    support = names.use(f"{names.depth}_laws", "laws")
    tests = tuple(
        _class(node, names, laws, support, is_donating=node.ref in checked.facts.donating)
        for node in drawable
    )
    shared = (_shared(drawable, names, support),) if len(drawable) > 1 else ()
    folder, slash, name = module.name.replace(".", "/").rpartition("/")
    return LawModuleView(
        path=f"{folder}{slash}test_{name}_laws.py",
        doc=title(
            f"Laws that the classes of `{laws.package}.{module.name}` obey, on drawn objects.",
            "Laws that the classes of one module obey, on drawn objects.",
            0,
        ),
        notes=tuple(_note(node) for node in concrete if not can_be_drawn(node.ref)),
        import_blocks=import_blocks(names),
        classes=tests,
        shared=shared,
    )


def _note(node: Class) -> str:
    text = (
        f"No laws of `{node.ref.name}`: every object of it would hold another one, without an "
        "end, so none can be drawn."
    )
    return "\n".join(f"# {line}" for line in paragraph(text, 86))


def _strategy(node: Class, names: Names) -> str:
    return f"{names.use('.', module_file(node.ref.module))}.{strategy_name(node.ref)}"


def _class(
    node: Class, names: Names, laws: Laws, support: str, *, is_donating: bool
) -> LawClassView:
    cls = erased(node, names, laws.cls(node.ref, names))
    strategy = _strategy(node, names)
    views: list[LawView] = []
    for test, law, drawn in _LAWS:
        if law == "replaced" and not node.fields:
            continue  # such a class has no `replace`
        pair = fit(subscript("tuple", cls, cls), 8, len("        pair: "), 1)
        parameter = f"pair: {pair}" if drawn else f"value: {cls}"
        method = f".{drawn}" if drawn else ""
        views.append(
            LawView(
                decorator=statement("@", call(f"{support}.given", f"{strategy}{method}()"), 4),
                signature=signature(f"def test_{test}(", ["self", parameter], ") -> None:", 4),
                call=f"        {support}.{law}({'*pair' if drawn else 'value'})",
            )
        )
    if is_donating:
        jit = names.use(f"{laws.package}._runtime.jit", "jit")
        views.append(
            LawView(
                decorator=statement("@", call(f"{support}.given", f"{strategy}()"), 4),
                signature=signature(
                    "def test_donation(", ["self", f"value: {cls}"], ") -> None:", 4
                ),
                call=f"        {support}.donation(value, {jit})",
            )
        )
    doc = title(f"The laws of `{node.ref.name}`.", "The laws of this class.", 4)
    return LawClassView(f"Test{node.ref.name}", doc, tuple(views))


def _shared(drawable: list[Class], names: Names, support: str) -> LawView:
    any_name = names.use("typing", "Any")
    each: Node = call(f"{support}.given_each", *(_strategy(node, names) for node in drawable))
    return LawView(
        decorator=f"@{fit(each, 0, 1)}",
        signature=f"def test_no_two_classes_share_a_treedef(values: list[{any_name}]) -> None:",
        call=f"    {support}.different_treedefs(values)",
    )
