"""All properties of the classes and functions of a generated module, as pytest items.

test_heat = properties(generated.heat)  # test_heat[Plate-flatten], test_heat[step-donation], ...
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any, Final, TypeVar

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from codegen.testing import checks, leaves
from codegen.testing import functions as calls
from codegen.testing.declared import fields_of, record_of
from codegen.testing.drawing import Make, Scope, copies, generated, neighbours, single
from codegen.testing.leaves import NotDrawable

T = TypeVar("T")
# By the names of properties: how values are drawn, and the check.
_OF_CLASSES: Final[dict[str, tuple[Any, Any]]] = {
    "flatten": (single, checks.round_trip),
    "equal_copies_are_equal": (copies, checks.are_equal),
    "equality_is_exact": (neighbours, checks.agree),
    "equal_copies_trace_once": (copies, checks.trace_exactly),
    "different_values_retrace": (neighbours, checks.trace_exactly),
    "placeholders": (single, checks.placeholders),
    "pickle": (single, checks.pickled),
    "replace": (neighbours, checks.replaced),
    "shapes": (single, checks.as_declared),
    "checkpoint": (single, checks.packed),
}
_OF_FUNCTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "equal_arguments_trace_once": (copies, calls.trace_once),
    "donation": (single, calls.donate),
    "eval_shape": (single, calls.agree_with_eval_shape),
}
# JAX compiles something in each example, or the user's implementation runs.
_EXAMPLES_MAX: Final = {
    **dict.fromkeys(("equal_copies_trace_once", "different_values_retrace"), 10),
    **dict.fromkeys(_OF_FUNCTIONS, 3),
}
# Health checks that generated classes may fail, since drawing and compiling take time.
_SLOW: Final = (
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
)


def properties(module: ModuleType, *, functions: bool = True) -> Callable[..., None]:
    """Return a test with one pytest item for each class, function and property of a module.

    Assign it to a name that pytest collects: `test_heat = properties(generated.heat)`.
    `hypothesis.settings` profiles set the number of examples.

    Args:
        module: a generated module
        functions: whether the functions of the module are tested, which runs their
            implementations

    Raises:
        TypeError: `module` is not a generated module
    """
    cases = [*_of_classes(module)]
    cases += [*_of_functions(module)] if functions else []
    if not cases:
        raise TypeError(f"`{module.__name__}` has no generated classes and no functions")

    @pytest.mark.parametrize("check", [pytest.param(one, id=name) for name, one in cases])
    def test(check: Callable[[], None]) -> None:
        check()

    return test


def strategy(cls: type[T], /, **fields: SearchStrategy[Any]) -> SearchStrategy[T]:
    """Return a strategy for objects of a generated class.

    Leaves are NumPy arrays; random keys are JAX's. One dimension has one size within an
    object. For an abstract class, objects of any class below it are drawn.

    Args:
        cls: a generated class
        **fields: strategies for some of its fields

    Raises:
        TypeError: `cls` is not a generated class, or has no such field
    """
    if record_of(cls) is None:
        raise TypeError(f"`{cls!r}` is not a generated class")
    unknown = sorted(fields.keys() - fields_of(cls).keys())
    if unknown:
        raise TypeError(f"`{cls.__name__}` has no field `{unknown[0]}`")
    given: dict[tuple[str, ...], Make] = {
        (name,): functools.partial(Scope.leaf, strategy=one) for name, one in fields.items()
    }
    return single(lambda scope: generated(replace(scope, given=given), cls)).map(lambda one: one[0])


def register(kind: Any, strategy: SearchStrategy[Any]) -> None:
    """Draw values of a type with a strategy, wherever a schema declares the type.

    Args:
        kind: a type from outside any schema, or a generated class
        strategy: a Hypothesis strategy for it
    """
    leaves.registered[kind] = strategy


def _of_classes(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    for cls in vars(module).values():
        is_class = isinstance(cls, type) and "__codegen_record__" in vars(cls)
        if is_class and cls.__module__ == module.__name__ and not record_of(cls).abstract:
            make = functools.partial(generated, cls=cls)
            for name, (draw, check) in _OF_CLASSES.items():
                if name != "replace" or fields_of(cls):
                    yield f"{cls.__name__}-{name}", _holds(check, draw(make), name)


def _of_functions(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    for name, function in vars(module).items():
        if calls.is_function(function) and function.__module__ == module.__name__:
            for property_, (draw, check) in _OF_FUNCTIONS.items():
                accepted = _accepted(function, check)
                make = functools.partial(calls.arguments, function)
                yield f"{name}-{property_}", _holds(accepted, draw(make), property_)


def _accepted(function: Any, check: Callable[..., None]) -> Callable[..., None]:
    """Check a function; skip it if its implementation accepts none of the drawn arguments."""
    traced: list[bool] = []

    def test(arguments: Any, *others: Any) -> None:
        try:
            function.eval_shape(**arguments)
        except Exception as error:  # noqa: BLE001 - of the implementation
            traced.append(False)
            if not any(traced) and len(traced) > 3:
                pytest.skip(
                    f"its implementation accepts no drawn arguments: {error!r}. `register` a "
                    "strategy of `codegen.testing` for their classes"
                )
            hypothesis.reject()
        traced.append(True)
        with warnings.catch_warnings():
            # Drawn arguments differ, so they may need more programs than the budget.
            warnings.filterwarnings("ignore", ".* was traced again")
            check(function, arguments, *others)

    return test


def _holds(
    check: Callable[..., None], strategy: SearchStrategy[Any], name: str
) -> Callable[[], None]:
    """Return a test of a property on drawn values, which are its arguments."""

    def run() -> None:
        # Read here, since the user's profile is loaded by now.
        examples = hypothesis.settings().max_examples
        settings = hypothesis.settings(
            deadline=None,
            max_examples=min(examples, _EXAMPLES_MAX.get(name, examples)),
            suppress_health_check=_SLOW,
        )

        @settings
        @hypothesis.given(strategy)
        def test(values: Any) -> None:
            check(*values)

        try:
            test()
        except NotDrawable as error:
            pytest.skip(str(error))
        except Unsatisfiable as error:
            raise Unsatisfiable(
                "all drawn values were refused: call `codegen.testing.register(Class, strategy)` "
                "before `properties`, for this class or for that of a field"
            ) from error

    return run
