"""What the templates of laws and strategies print.

LawModuleView("test_heat_laws.py", classes=(LawClassView("TestGrid", ...),), ...)
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.view.nodes import Lines, PackageView


@dataclass(frozen=True, slots=True)
class LawView:
    """One law of one class: a method that calls it."""

    decorator: str
    signature: str
    call: str


@dataclass(frozen=True, slots=True)
class LawClassView:
    """The laws of a class."""

    name: str  # Example: "TestGrid"
    doc: str
    laws: tuple[LawView, ...]


@dataclass(frozen=True, slots=True)
class LawModuleView:
    """The laws of a module: a file of tests."""

    path: str
    doc: str
    notes: Lines  # comments: what is left out, and why
    import_blocks: Lines
    classes: tuple[LawClassView, ...]
    shared: tuple[LawView, ...]  # the law of all its classes together, if there are several
    template: str = "law_module.py.jinja"


@dataclass(frozen=True, slots=True)
class StrategyView:
    """How objects of one class are drawn."""

    decorator: str
    signature: str
    doc: str
    result: str


@dataclass(frozen=True, slots=True)
class StrategyModuleView:
    """The strategies of a module."""

    path: str
    doc: str
    import_blocks: Lines
    all_names: str
    strategies: tuple[StrategyView, ...]
    template: str = "strategy_module.py.jinja"


@dataclass(frozen=True, slots=True)
class LawsView:
    """Everything that a build writes into the folder of laws, but for the support files."""

    modules: tuple[LawModuleView | StrategyModuleView, ...]
    packages: tuple[PackageView, ...]
