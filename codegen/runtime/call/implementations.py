"""What a function runs: found by its module and name, watched for other code, reported.

implementation = Implementation(_codegen_run_step, "heat_model:step", bind)
implementation.scope.get(implementation.head) is implementation.found   # unchanged
"""

import importlib
import inspect
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..parameters import check_parameters
from ..scripts import use_running_script

# How the generated functions are called that import an implementation and call it.
_RUNS: Final = "_codegen_run_"
# What looking it up raises where it is gone.
_OF_MISSING: Final = (ImportError, AttributeError)


class Implementation:
    """What a function runs, and where that is looked up."""

    def __init__(self, run: Callable[..., Any], place: str, bind: Any) -> None:
        """Look up nothing yet.

        Args:
            run: called with all arguments by position
            place: what that imports, as in `@impl("heat_model:step")`; "" for nothing
            bind: the other function that the generated module has for this one
        """
        self.run = run
        self._bind = bind
        self._module, _, self._attribute = place.partition(":")
        self.head = self._attribute.partition(".")[0]
        # Where it is looked up, and what was there.
        self._names: dict[str, Any] | None = None
        self.scope: dict[str, Any] | _Path = {}
        self.found: Any = None

    def find(self, forget: Callable[[], None]) -> Callable[..., Any]:
        """Look up what runs; a trace looks for it too, and says what is wrong with it.

        Args:
            forget: called where the module is another one than before
        """
        if not self._module:
            return self.run
        use_running_script(self._module)
        try:
            names = vars(importlib.import_module(self._module))
            if names is not self._names:
                self._names = names
                self.scope = self._watched(names)
                forget()
            self.found = self.scope.get(self.head)
            found = _attribute(names, self._attribute)
        except _OF_MISSING:
            return self.run
        parameters = inspect.signature(self._bind).parameters
        if found is not None and len(parameters) > 1:
            name = f"{self._bind.__module__}.{self._bind.__name__}"
            check_parameters(found, f"{name}({', '.join(parameters)})")
        return self.run if found is None else found

    def _watched(self, names: dict[str, Any]) -> "dict[str, Any] | _Path":
        """Return what has another object under the head when the implementation changes."""
        # Flax, for one, imports IPython where there is no shell of it.
        ipython = sys.modules.get("IPython")
        if ipython is not None and ipython.get_ipython() is not None:
            return _Patched(names, self._attribute, (self._bind, self.run))
        return _Path(names, self._attribute) if "." in self._attribute else names

    def explain(self, error: Exception, name: str) -> None:
        """Say what the schema has to do with an implementation that cannot be called."""
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        # Else it was called, and what it runs has failed.
        if last is not None and last.tb_frame.f_code.co_name.startswith(_RUNS):
            error.add_note(
                f"`{name}` of the schema of `{self.run.__module__}` runs it: `@impl(...)` "
                "there says in which module it is, and its name; it is given every "
                "argument by position, in the declared order"
            )


class _Path:
    """The objects on a dotted path, "Model.step", each of which can be replaced."""

    def __init__(self, names: Mapping[str, Any], attribute: str) -> None:
        """Watch an attribute of something in a module."""
        self._names = names
        self._head, *self._path = attribute.split(".")
        self._seen: list[Any] = []
        self._version: object = None

    def get(self, _head: str) -> object:
        """Return another object whenever one on the path is another one."""
        seen = self._objects()
        known = self._seen
        if len(seen) != len(known) or not all(map(operator.is_, seen, known)):
            self._seen, self._version = seen, object()
        return self._version

    def _objects(self) -> list[Any]:
        objects = [self._names.get(self._head)]
        for name in self._path:
            objects.append(_stored(objects[-1], name))
        return objects


class _Patched(_Path):
    """The same in a notebook, for all functions of the module too.

    IPython's `%autoreload` puts new code into the existing functions, so their code is
    compared. The implementation may call any function or method of its module.
    """

    def __init__(
        self, names: Mapping[str, Any], attribute: str, functions: Sequence[Any]
    ) -> None:
        """Watch a module's functions, and some others."""
        super().__init__(names, attribute)
        self._functions = functions

    def _objects(self) -> list[Any]:
        objects = super()._objects()
        module, functions = self._names.get("__name__"), [*objects, *self._functions]
        for one in self._names.values():
            if getattr(one, "__module__", "") == module:
                functions.append(one)
                functions += vars(one).values() if isinstance(one, type) else ()
        functions = [getattr(one, "__func__", one) for one in functions]
        return [*objects, *(getattr(one, "__code__", None) for one in functions)]


def _stored(owner: Any, name: str) -> Any:
    """Return what an owner stores for an attribute: no method is bound to an object.

    A bound method is a new object at each access.
    """
    is_class = isinstance(owner, type)
    for each in owner.__mro__ if is_class else (owner, *type(owner).__mro__):
        stored = getattr(each, "__dict__", {})
        if name in stored:
            return stored[name]
    return getattr(owner, name, None)


def _attribute(names: Mapping[str, Any], attribute: str) -> Any:
    """Return what a module's names hold under "step" or "Model.step"; None where nothing."""
    head, _, path = attribute.partition(".")
    found = names.get(head)
    return operator.attrgetter(path)(found) if path else found
