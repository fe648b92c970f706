"""All properties of the classes and functions of a generated module, as pytest items.

test_heat = properties(generated.heat)  # test_heat[Plate-flatten], test_heat[step-donation], ...
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

import hypothesis
import pytest
from hypothesis import HealthCheck, strategies
from hypothesis.strategies import SearchStrategy

from codegen.testing import calls, checks
from codegen.testing.declared import (
    ENDLESS,
    depth,
    fields_of,
    is_schema_class,
    record_of,
    run_time,
)
from codegen.testing.leaves import NotDrawable
from codegen.testing.strategies import Arguments, Objects, copies, drawn, neighbours

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


def _of_classes(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    classes = [cls for cls in vars(module).values() if _is_declared_in(cls, module)]
    classes = [cls for cls in classes if not record_of(cls).abstract]
    for cls in classes:
        for name, check in _of_class(cls):
            yield f"{cls.__name__}-{name}", check
    if len(classes) > 1:
        yield "treedefs_differ", functools.partial(_treedefs_differ, classes)


def _is_declared_in(cls: Any, module: ModuleType) -> bool:
    is_class = isinstance(cls, type) and "__codegen_record__" in vars(cls)
    return is_class and cls.__module__ == module.__name__ and is_schema_class(cls)


def _of_class(cls: Any) -> Iterator[tuple[str, Callable[[], None]]]:
    one, equal, near = (make(Objects(cls)) for make in (drawn, copies, neighbours))
    compiled = functools.partial(_holds, examples_max=_COMPILED_MAX)
    if depth(cls) == ENDLESS:
        yield "not_drawable", functools.partial(_skip, cls)
        return
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
    if record_of(cls).donated_fields:
        yield "donation", compiled(checks.donation, one)
    checkpoint = run_time(record_of(cls), "checkpoint")
    check = functools.partial(checks.packed, pack=checkpoint.pack, unpack=checkpoint.unpack)
    yield "checkpoint", _holds(check, one)


def _skip(cls: Any) -> None:
    pytest.skip(
        f"no object of `{cls.__name__}` can be drawn: each contains another one, without end"
    )


def _treedefs_differ(classes: list[Any]) -> None:
    """Draw one object of each class at a time, and compare their treedefs."""
    found = [drawn(Objects(cls)) for cls in classes if depth(cls) != ENDLESS]
    each = strategies.tuples(*filter(_can_draw, found))
    _holds(checks.different_treedefs, each, examples_max=_COMPILED_MAX)()


def _can_draw(strategy: SearchStrategy[Any]) -> bool:
    try:
        _holds(lambda _: None, strategy, examples_max=1)()
    except NotDrawable:
        return False
    return True


def _of_functions(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    for name, function in vars(module).items():
        if calls.is_function(function) and function.__module__ == module.__name__:
            arguments = calls.arguments_of(function)
            if any(depth(one) == ENDLESS for one in arguments.declared.values()):
                continue
            trace = functools.partial(calls.trace_once, function)
            yield (
                f"{name}-equal_arguments_trace_once",
                _accepted(_of_pair(trace), arguments, copies),
            )
            donate = functools.partial(calls.donate, function)
            yield f"{name}-donation", _accepted(donate, arguments, drawn)
            agree = functools.partial(calls.agree_with_eval_shape, function)
            yield f"{name}-eval_shape", _accepted(agree, arguments, drawn)


def _accepted(
    check: Callable[[Any], None], arguments: Arguments, make: Callable[..., SearchStrategy[Any]]
) -> Callable[[], None]:
    """Check a function; skip it if its implementation accepts none of the drawn arguments."""
    accepted, refused = [0], [0]

    def tolerant(value: Any) -> None:
        try:
            check(value)
        except calls.NotAccepted as error:
            refused[0] += 1
            if not accepted[0] and refused[0] > _CALLED_MAX:
                pytest.skip(f"its implementation accepts no drawn arguments: {error.reason!r}")
            hypothesis.reject()
        accepted[0] += 1

    return _holds(tolerant, make(arguments), examples_max=_CALLED_MAX)


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
