"""What a function runs: found by its module and name, watched for other code, reported.

implementation = Implementation(_codegen_run_step, "heat_model:step", bind)
implementation.scope.get(implementation.head) is implementation.found   # unchanged
"""

import importlib
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

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
        self.scope: dict[str, Any] | _Patched = {}
        self.found: Any = None

    def find(self, forget: Callable[[], None]) -> Callable[..., Any]:
        """Look up what runs; a trace looks for it too, and says what is wrong with it.

        Args:
            forget: called where the module is another one than before
        """
        if not self._module:
            return self.run
        try:
            names = vars(importlib.import_module(self._module))
            if names is not self._names:
                self._names = self.scope = names
                # Flax, for one, imports IPython where there is no shell of it.
                ipython = sys.modules.get("IPython")
                if ipython is not None and ipython.get_ipython() is not None:
                    ours = (self._bind, self.run)
                    self.scope = _Patched(names, self._attribute, ours)
                forget()
            self.found = self.scope.get(self.head)
            return _attribute(names, self._attribute) or self.run
        except _OF_MISSING:
            return self.run

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


class _Patched:
    """The names of a module, for whoever asks whether what he uses of it has changed.

    IPython's `%autoreload` puts new code into functions that are there, so in the end it
    is codes that are compared: those of what stands under an attribute, and of every
    function and method that stands beside it, which may be what that one calls.
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
            found = _attribute(self._names, self._attribute)
        except AttributeError:
            found = None
        module, functions = self._names.get("__name__"), [found, *self._functions]
        for one in self._names.values():
            if getattr(one, "__module__", "") == module:
                functions.append(one)
                functions += vars(one).values() if isinstance(one, type) else ()
        functions = [getattr(one, "__func__", one) for one in functions]
        seen = [found, *(getattr(one, "__code__", None) for one in functions)]
        if list(map(id, seen)) != list(map(id, self._seen)):
            self._seen, self._version = seen, object()
        return self._version


def _attribute(names: Mapping[str, Any], attribute: str) -> Any:
    """Return what a module's names hold under "step" or "Model.step"; None where nothing."""
    head, _, path = attribute.partition(".")
    found = names.get(head)
    return operator.attrgetter(path)(found) if path else found
