"""All properties of the classes and functions of a generated module, as pytest items.

test_heat = properties(generated.heat)  # test_heat[Plate-flatten], test_heat[step-donation], ...
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final, TypeVar

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.strategies import SearchStrategy

from codegen.testing import checks, functions, leaves
from codegen.testing.declared import ENDLESS, depth, fields_of, record_of
from codegen.testing.drawing import built, copies, generated, neighbours, recipes
from codegen.testing.leaves import NotDrawable

T = TypeVar("T")
# Properties for which JAX compiles or lowers something in each example.
_COMPILED_MAX: Final = 10
# Health checks that generated classes may fail, since drawing and compiling take time.
_SLOW: Final = (
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
)
# Properties that run the user's implementation; each example may compile a whole program.
_CALLED_MAX: Final = 3


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
        try:
            check()
        except NotDrawable as error:
            pytest.skip(str(error))

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
    return built(recipes([cls], lambda scope: generated(scope, cls, fields)))


def register(kind: Any, strategy: SearchStrategy[Any]) -> None:
    """Draw values of a type with a strategy, wherever a schema declares the type.

    Args:
        kind: a type from outside any schema, or a generated class
        strategy: a Hypothesis strategy for it
    """
    leaves.registered[kind] = strategy


def _of_classes(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    classes = [cls for cls in vars(module).values() if _is_concrete(cls, module)]
    for cls in classes:
        for name, check in _of_class(cls):
            yield f"{cls.__name__}-{name}", check


def _is_concrete(cls: Any, module: ModuleType) -> bool:
    is_class = isinstance(cls, type) and "__codegen_record__" in vars(cls)
    return is_class and cls.__module__ == module.__name__ and not record_of(cls).abstract


def _of_class(cls: Any) -> Iterator[tuple[str, Callable[[], None]]]:
    if depth(cls) == ENDLESS:
        yield "not_drawable", functools.partial(_skip, cls)
        return
    source = recipes([cls], lambda scope: generated(scope, cls))
    one, equal, near = built(source), copies(source), neighbours(source)
    compiled = functools.partial(_holds, examples_max=_COMPILED_MAX)
    yield "flatten", _holds(checks.round_trip, one)
    yield "equal_copies_are_equal", _holds(_of_pair(checks.are_equal), equal)
    yield "equality_is_exact", _holds(_of_pair(checks.agree), near)
    yield "equal_copies_trace_once", compiled(_of_pair(checks.trace_once), equal)
    yield "different_values_retrace", compiled(_of_pair(checks.trace_twice), near)
    yield "placeholders", _holds(checks.placeholders, one)
    yield "pickle", _holds(checks.pickled, one)
    if fields_of(cls):
        yield "replace", _holds(_of_pair(checks.replaced), near)
    yield "shapes", _holds(checks.as_declared, one)
    yield "checkpoint", _holds(checks.packed, one)


def _skip(cls: Any) -> None:
    pytest.skip(
        f"no object of `{cls.__name__}` can be drawn: each contains another one, without end"
    )


def _of_functions(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    for name, function in vars(module).items():
        if functions.is_function(function) and function.__module__ == module.__name__:
            types = [*functions.declared_arguments(function).values()]
            if any(depth(one) == ENDLESS for one in types):
                continue
            source = recipes(types, functools.partial(functions.arguments, function))
            checked: list[tuple[str, Any, SearchStrategy[Any]]] = [
                ("equal_arguments_trace_once", functions.trace_once, copies(source)),
                ("donation", functions.donate, built(source)),
                ("eval_shape", functions.agree_with_eval_shape, built(source)),
            ]
            for one, check, arguments in checked:
                yield f"{name}-{one}", _accepted(functools.partial(check, function), arguments)


def _accepted(check: Callable[[Any], None], arguments: SearchStrategy[Any]) -> Callable[[], None]:
    """Check a function; skip it if its implementation accepts none of the drawn arguments."""
    accepted, refused = [0], [0]

    def tolerant(value: Any) -> None:
        try:
            check(value)
        except functions.NotAccepted as error:
            refused[0] += 1
            if not accepted[0] and refused[0] > _CALLED_MAX:
                pytest.skip(f"its implementation accepts no drawn arguments: {error.reason!r}")
            hypothesis.reject()
        accepted[0] += 1

    return _holds(tolerant, arguments, examples_max=_CALLED_MAX)


def _of_pair(check: Callable[[Any, Any], None]) -> Callable[[Any], None]:
    return lambda pair: check(*pair)


def _holds(
    check: Callable[[Any], None], strategy: SearchStrategy[Any], *, examples_max: int = 1_000_000
) -> Callable[[], None]:
    """Return a test of a property on drawn values."""

    def run() -> None:
        # Read here, since the user's profile is loaded by now.
        examples = hypothesis.settings().max_examples
        settings = hypothesis.settings(
            deadline=None,
            max_examples=min(examples, examples_max),
            suppress_health_check=_SLOW,
        )

        @settings
        @hypothesis.given(strategy)
        def test(value: Any) -> None:
            check(value)

        test()

    return run
