"""Converters for objects, numbers and results, which packages with only array classes
do not need.

    osc = as_foreign(osc, Osc, cls, "osc")      # TypeError where it is no `Osc`

A class from another package is required by name, like one of this package. For all
other types the schema's declaration is trusted, since a name may mean anything.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeAlias

import numpy as np

from .classes.values import NUMBERS, as_array, without_weak_type
from .keys.conversion import as_bool, as_complex, as_float, as_int
from .keys.messages import RESULT, Owner, a_or_an, describe_array_type, mistyped
from .keys.names import Generated, describe_other_class, is_counterpart, is_generated

P = ParamSpec("P")
Convert: TypeAlias = Callable[[Any, Owner, str], Any]

_SCALARS: Final[dict[type[Any], Convert]] = {
    int: as_int,
    float: as_float,
    bool: as_bool,
    complex: as_complex,
}


def as_scalar(value: object, kind: type[Any], owner: Owner, path: str) -> Any:
    """Accept a Python number of a type, as a weakly typed scalar; or an array
    unchanged.

    `check()` checks its rank: the array of a batch has axes.
    """
    if isinstance(value, np.generic) or not hasattr(value, "dtype"):
        return _SCALARS[kind](value, owner, path)
    return value


def as_part(
    value: Any, kind: type[Any], owner: Owner, path: str, refused: Any = mistyped
) -> Any:
    """Accept an object of a generated class, or of a generated subclass."""
    cls = type(value)
    is_its = isinstance(value, kind) or is_counterpart(value, kind, owner)
    if is_its and is_generated(value):
        return value
    from .drafts.state import is_draft

    remedy = describe_other_class(value, kind)
    holds_some = cls in (tuple, list) and value and isinstance(value[0], kind)
    if holds_some and path != RESULT:
        remedy = (
            "pass one object; for several, declare a `stacked` field and call `stack`"
        )
    if is_draft(value):
        remedy = "pass the object that `draft.freeze()` returns"
    raise refused(value, owner, path, a_or_an(kind.__qualname__), remedy)


def as_foreign(value: object, kind: Any, owner: Owner, path: str) -> Any:
    """Accept a value of a foreign type, from outside the program."""
    is_class = isinstance(kind, type) and issubclass(kind, Generated)
    if not is_class or isinstance(value, kind):
        return value
    return as_part(value, kind, owner, path)


def as_result(value: object, declared: str, owner: Owner, path: str) -> Any:
    """Accept an array or a number that a function returns; its dtype is never weak.

    The check of the call checks the dtype.
    """
    if type(value) in NUMBERS:
        return as_array(value, declared, owner, path)
    if not (hasattr(value, "dtype") or hasattr(value, "__jax_array__")):
        raise mistyped(value, owner, path, describe_array_type(declared))
    return without_weak_type(value)


def returns_none(
    owner: Owner, run: Callable[P, None], /, *args: P.args, **kwargs: P.kwargs
) -> None:
    """Call a function that is declared to return nothing, and check that it does."""
    called: Callable[P, object] = run
    result = called(*args, **kwargs)
    if result is not None:
        raise mistyped(result, owner, RESULT, "None")


def remedies(errors: Sequence[Any], path: str) -> str:
    """Return the advice of the first of a union's errors; raise one from inside a
    value.
    """
    for error in errors:
        # This alternative accepts the value's type, and its error explains the problem.
        if getattr(error, "refusal", ("",))[0] != path:
            raise error
    return next((error.refusal[2] for error in errors if error.refusal[2]), "")
