"""What the templates of laws and strategies print.

LawModuleView("test_heat_laws.py", classes=(LawClassView("TestGrid", ...),), ...)
"""

from __future__ import annotations

from msgspec import Struct

from codegen.emit.names import Block
from codegen.emit.view import PackageView, Texts


class LawClassView(Struct, frozen=True):
    """The laws of a class."""

    name: str  # Example: "Grid"
    type: str  # its annotation. Example: "heat.Grid"
    strategy: str  # Example: "heat_strategies.any_Grid"
    packed: Texts  # its annotation, where it can be saved
    replaced: Texts  # its annotation, where it has fields to replace
    donated: Texts  # its annotation, where its objects are donated


class LawFunctionView(Struct, frozen=True):
    """The law of a function."""

    name: str  # Example: "step"
    function: str  # Example: "heat.step"
    strategy: str  # of its arguments. Example: "heat_strategies.any_arguments_of_step"
    type: str  # that of arguments. Example: "calls.Arguments"
    law: str  # Example: "calls.trace_once"


class LawModuleView(Struct, frozen=True):
    """The laws of a module: a file of tests."""

    path: str
    module: str  # Example: "generated.heat"
    notes: Texts  # comments: what is left out, and why
    imports: tuple[Block, ...]
    laws: str  # what the module of the laws is called here
    function: str  # what `DonatingFunction` of the support package is called here, if it is used
    saved: str  # what the module of the law of checkpoints is called here, if it is used
    pack: str  # what `pack` of the support package is called here, if it is used
    unpack: str  # and `unpack`
    any_name: str  # what `Any` is called here, if it is used
    classes: tuple[LawClassView, ...]
    functions: tuple[LawFunctionView, ...]
    shared: tuple[Texts, ...]  # the strategies of all its classes, if there are several
    template: str = "laws/module.py.jinja"


class StrategyView(Struct, frozen=True):
    """How objects of one class are drawn."""

    name: str  # Example: "any_Grid"
    drawn: str  # the decorator. Example: 'drawn("nx ny")'
    recipe_class: str  # what `Recipe` is called here
    type: str  # Example: "heat.Grid"
    doc: str
    recipe: str  # Example: 'made(heat.Grid, nx=static(size("nx")))'


class StrategyModuleView(Struct, frozen=True):
    """The strategies of a module."""

    path: str
    module: str  # Example: "generated.heat"
    imports: tuple[Block, ...]
    all_names: Texts  # as literals, sorted
    strategies: tuple[StrategyView, ...]
    template: str = "laws/strategies.py.jinja"


class LawsView(Struct, frozen=True):
    """Everything that a build writes into the folder of laws, but for the support files."""

    modules: tuple[LawModuleView | StrategyModuleView, ...]
    packages: tuple[PackageView, ...]
