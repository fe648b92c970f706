"""What the templates of laws and strategies print.

LawModuleView("test_heat_laws.py", classes=(LawClassView("TestGrid", ...),), ...)
"""

from __future__ import annotations

from msgspec import Struct

from codegen.view.nodes import Lines, PackageView


class LawView(Struct, frozen=True):
    """One law of one class: a method that calls it."""

    decorator: str
    signature: str
    call: str


class LawClassView(Struct, frozen=True):
    """The laws of a class."""

    name: str  # Example: "TestGrid"
    doc: str
    laws: tuple[LawView, ...]


class LawModuleView(Struct, frozen=True):
    """The laws of a module: a file of tests."""

    path: str
    doc: str
    notes: Lines  # comments: what is left out, and why
    import_blocks: Lines
    classes: tuple[LawClassView, ...]
    shared: tuple[LawView, ...]  # the law of all its classes together, if there are several
    template: str = "law_module.py.jinja"


class StrategyView(Struct, frozen=True):
    """How objects of one class are drawn."""

    decorator: str
    signature: str
    doc: str
    result: str


class StrategyModuleView(Struct, frozen=True):
    """The strategies of a module."""

    path: str
    doc: str
    import_blocks: Lines
    all_names: str
    strategies: tuple[StrategyView, ...]
    template: str = "strategy_module.py.jinja"


class LawsView(Struct, frozen=True):
    """Everything that a build writes into the folder of laws, but for the support files."""

    modules: tuple[LawModuleView | StrategyModuleView, ...]
    packages: tuple[PackageView, ...]
