# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What becomes of classes and functions whose module is loaded once more.

importlib.reload(heat)      # heat.Plate is another class from here on
plate.replace(t=1.0)        # an object from before goes on with its own class
heat.step(plate)            # TypeError: its class is from before `heat` was reloaded
"""

import operator
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .callables import is_found
from .messages import Owner

# The names of generated modules.
_modules: Final[set[str]] = set()


def keep_from_autoreload(module: str) -> None:
    """Have IPython's `%autoreload` leave what a generated module holds as it is.

    It would put the functions of the new class into the old one, and the new class into
    the old objects: fields would change their places.
    """
    _modules.add(module)
    autoreload = sys.modules.get("IPython.extensions.autoreload")
    rules: list[Any] | None = getattr(autoreload, "UPDATE_RULES", None)
    if rules is not None and _RULE not in rules:
        rules.insert(0, _RULE)


def _is_generated(old: Any, new: Any) -> bool:
    return getattr(old, "__module__", None) in _modules and old is not new


def _rebind(old: Any, new: Any) -> None:
    """Have the names of the old object stand for the new one, in every module."""
    if isinstance(old, types.FunctionType):
        return  # Nobody imports the functions beside a class.
    for module in [*sys.modules.values()]:
        names: dict[str, Any] = getattr(module, "__dict__", {})
        for name in [name for name, value in [*names.items()] if value is old]:
            names[name] = new


_RULE: Final = (_is_generated, _rebind)


def find_attribute(names: Mapping[str, Any], attribute: str) -> Any:
    """Return what a module's names hold under "step" or "Model.step"; None where nothing."""
    head, _, path = attribute.partition(".")
    found = names.get(head)
    return operator.attrgetter(path)(found) if path else found


class Patched:
    """The names of a module, for whoever asks whether what he uses of it has changed.

    IPython's `%autoreload` puts new code into functions that are there, so in the end it
    is codes that are compared: those of what stands under an attribute, and of every
    function that stands beside it, which may be what that one calls.
    """

    def __init__(
        self, names: Mapping[str, Any], attribute: str, functions: Sequence[Any]
    ) -> None:
        """Watch a module's functions, and some others."""
        self._names = names
        self._attribute = attribute
        self._functions = functions
        self._seen: list[Any] = []
        self._version: object = None

    def get(self, head: str) -> object:
        """Return, as `dict.get` would, what is another one whenever a function is."""
        try:
            found = find_attribute(self._names, self._attribute)
        except AttributeError:
            found = None
        functions = [found, *self._functions, *_functions_of(self._names)]
        codes = [getattr(function, "__code__", None) for function in functions]
        if [id(one) for one in self._seen] != [id(one) for one in (found, *codes)]:
            self._seen = [found, *codes]
            self._version = object()
        return self._version


def _functions_of(names: Mapping[str, Any]) -> list[Any]:
    """Return the functions that a module defines, and the methods of its classes."""
    module = names.get("__name__")
    own = [one for one in names.values() if getattr(one, "__module__", "") == module]
    inside = [vars(one).values() for one in own if isinstance(one, type)]
    return [*own, *(getattr(m, "__func__", m) for each in inside for m in each)]


def is_counterpart(value: object, kind: type[Any], owner: Owner) -> bool:
    """Tell whether a value may stand in an object from before a reload, as it did then."""
    is_old = isinstance(owner, type) and not is_found(owner)
    return is_old and _is_namesake(value, kind)


def other_class(value: object, kind: type[Any]) -> str:
    """Say of which class a value is, if that is called as the one asked for; else nothing."""
    name, cls = kind.__qualname__, type(value)
    for one in cls.__mro__:
        if one.__qualname__ != name:
            continue
        if one.__module__ == kind.__module__ and is_found(one):
            return (
                f"`{kind.__module__}` was reloaded, and what takes the value has the "
                "class from before: reload it too, or import it anew"
            )
        if one.__module__ == kind.__module__ or not is_found(one):
            return f"its class is from before `{one.__module__}` was reloaded: make it anew"
    alike = cls.__qualname__ == name
    return f"its class is the `{name}` of `{cls.__module__}`" if alike else ""


def _is_namesake(value: object, kind: type[Any]) -> bool:
    name = kind.__module__, kind.__qualname__
    return any(
        (cls.__module__, cls.__qualname__) == name for cls in type(value).__mro__
    )
