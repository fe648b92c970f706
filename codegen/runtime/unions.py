"""Check values that are declared as one of several types: the first whose sizes agree with all others."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from .keys.names import is_of
from .shapes.check import Walk, refuse, settle
from .shapes.declared import Part, Shape
from .shapes.sizes import Contradiction, Sizes

# So many types are tried in vain before an object with unions is refused.
_CHOICES: Final = 1000


def any_of(outer: Walk, options: Sequence[Shape], value: Any, path: str) -> None:
    """Look at a value of one of several types."""
    fitting: list[Walk] = []
    errors: list[ValueError] = []
    for option in options:
        walk = Walk()
        try:
            if isinstance(option, Part) and not is_of(value, option.of):
                refuse(path, f"a `{option.of}`", value)
            walk.value(option, value, path)
        except ValueError as error:
            errors.append(error)
        else:
            fitting.append(walk)
            outer.names |= walk.names
    if not fitting:
        raise errors[0]
    outer.choices.append(fitting)


def choose(choices: Sequence[list[Walk]], sizes: Sizes, named: set[str]) -> None:
    """Take for each value the first type whose sizes agree with all others.

    Where none agrees, the choice before is made otherwise.
    """
    errors: list[Contradiction] = []
    trials = [_fitting(choices[0], sizes, named, errors)]
    while trials and len(errors) < _CHOICES:
        found = next(trials[-1], None)
        if found is None:
            trials.pop()
        elif len(trials) < len(choices):
            trials.append(_fitting(choices[len(trials)], found, named, errors))
        else:
            sizes.known = found.known
            return
    raise errors[0]


def _fitting(
    options: list[Walk], sizes: Sizes, named: set[str], errors: list[Contradiction]
) -> Iterator[Sizes]:
    """Yield the sizes with each of several types that agrees with what is known."""
    for walk in options:
        trial = Sizes(sizes.known)
        try:
            settle(walk, trial, named)
        except Contradiction as error:
            errors.append(error)
        else:
            yield trial
