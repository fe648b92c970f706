"""The implementation of a function: imported by its module and name, called by keyword,
and watched for changes.

    implementation = Implementation(_codegen_run_step, "heat_model:step", call)
    implementation.scope.get(implementation.head) is implementation.found   # unchanged
"""

import importlib
import inspect
import operator
import sys
import traceback
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .converters import returns_none
from .keys.annotations import signature_of
from .running_script import use_running_script

# Errors of looking up a missing implementation.
_OF_MISSING: Final = (ImportError, AttributeError)
_EMPTY: Final = inspect.Parameter.empty


class Implementation:
    """The implementation of a function, and the place where it is looked up."""

    def __init__(self, run: Callable[..., Any], place: str, call: Any) -> None:
        """Look up nothing yet.

        Args:
            run: called with all arguments by position
            place: the place from which `run` imports it, as in
                `@impl("heat_model:step")`; "" for none
            call: the other generated function for this declaration
        """
        self.run = run
        self._call = call
        self._module, _, self._attribute = place.partition(":")
        self.head = self._attribute.partition(".")[0]
        # The namespace in which it is looked up, and the object that was found there.
        self._names: dict[str, Any] | None = None
        self.scope: dict[str, Any] | _DottedPath = {}
        self.found: object = None

    def find(self, forget: Callable[[], None]) -> Callable[..., Any]:
        """Look up the implementation, and call `forget` if it has changed.

        A trace also looks it up, and reports errors.
        """
        if not self._module:
            return self.run
        use_running_script([self._module])
        try:
            names = vars(importlib.import_module(self._module))
            if names is not self._names:
                self._names = names
                self.scope = self._watched(names)
                forget()
            self.watch(forget)
            function = _attribute(names, self._attribute)
        except _OF_MISSING:
            return self.run
        return self.run if function is None else function

    def watch(self, forget: Callable[[], None]) -> None:
        """Call `forget` if the implementation is another one than before."""
        found = self.scope.get(self.head)
        if found is not self.found:
            # In this order: until the programs are gone, no other thread may take them
            # for those of the new implementation.
            forget()
            self.found = found

    @property
    def imported(self) -> Any:
        """The implementation, if its module was imported; else None. Imports nothing."""
        if not self._module:
            return self.run
        names = getattr(sys.modules.get(self._module), "__dict__", {})
        try:
            return _attribute(names, self._attribute)
        except AttributeError:
            return None

    def _watched(self, names: dict[str, Any]) -> "dict[str, Any] | _DottedPath":
        """Return a mapping that has another object under the head when the
        implementation changes.
        """
        # Some packages, such as Flax, import IPython without an IPython shell.
        ipython = sys.modules.get("IPython")
        if ipython is not None and ipython.get_ipython() is not None:
            return _PatchedPath(names, self._attribute, (self._call, self.run))
        return _DottedPath(names, self._attribute) if "." in self._attribute else names

    def explain(self, error: Exception, name: str) -> None:
        """Explain why an implementation could not be found or called.

        Raises:
            TypeError: it does not take the declared parameters by keyword.
        """
        below = self._frames_below_the_call(error)
        if below is None or hasattr(error, "refusal"):
            return  # It was not called, or its result is refused.
        function, names = self.imported, [*signature_of(self.run).parameters]
        if isinstance(error, TypeError) and callable(function):
            signature = _signature(function)
            # Functions of JAX refuse keywords in frames of their own. Other frames are
            # the user's, so it was called, and failed by itself.
            is_refused = all(map(_is_of_jax, below)) and not _takes(signature, names)
            if is_refused or not below:
                raise TypeError(self._misfit(signature, names, error)) from error
        elif not below:
            error.add_note(
                f"`{name}` in the schema of `{self.run.__module__}` calls it: "
                "`@impl(...)` there gives its module and name"
            )

    def _frames_below_the_call(self, error: Exception) -> list[types.FrameType] | None:
        """Return the frames that ran below the call of the implementation; None if it
        was not called.
        """
        if not self._module:
            return None
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        calls = (self.run.__code__, returns_none.__code__)
        reached = [at for at, frame in enumerate(frames) if frame.f_code in calls]
        return frames[reached[-1] + 1 :] if reached else None

    def _misfit(
        self,
        signature: inspect.Signature | None,
        names: Sequence[str],
        error: TypeError,
    ) -> str:
        name, declared = self._call.__name__, ", ".join(names)
        place = f"{self._module}.{self._attribute}"
        reason = str(error).partition("\n")[0]
        parameters = [] if signature is None else [*signature.parameters.values()]
        passed = ", ".join(_arguments(parameters, names))
        bare = [one.replace(annotation=_EMPTY, default=_EMPTY) for one in parameters]
        taken = "" if signature is None else inspect.Signature(bare)
        return (
            f"the schema declares `{self._call.__module__}.{name}({declared})`, and the "
            f"call passes every argument by keyword, but the implementation is "
            f"`{place}{taken}`: {reason}. Rename its parameters, or name "
            "a wrapper in the schema: "
            f"`def call_{name}({declared}): return {place}({passed})`"
        )


class _DottedPath:
    """The objects on a dotted path, "Model.step", each of which can be replaced."""

    def __init__(self, names: Mapping[str, Any], attribute: str) -> None:
        """Watch an attribute of an object in a module."""
        self._names = names
        self._head, *self._path = attribute.split(".")
        self._seen: list[Any] = []
        self._version: object = None

    def get(self, _head: str) -> object:
        """Return another object whenever one on the path has changed."""
        seen = self._objects()
        known = self._seen
        if len(seen) != len(known) or not all(map(operator.is_, seen, known)):
            # In this order: another thread must not find an old version of new objects.
            self._version = object()
            self._seen = seen
        return self._version

    def _objects(self) -> list[Any]:
        objects = [self._names.get(self._head)]
        for name in self._path:
            objects.append(_raw_attribute(objects[-1], name))
        return objects


class _PatchedPath(_DottedPath):
    """The objects on a path and, in a notebook, also all functions of the module.

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


def _raw_attribute(owner: Any, name: str) -> object:
    """Return the stored value of an attribute, without binding a method to the object.

    A bound method is a new object at each access.
    """
    is_class = isinstance(owner, type)
    for each in owner.__mro__ if is_class else (owner, *type(owner).__mro__):
        stored = getattr(each, "__dict__", {})
        if name in stored:
            return stored[name]
    return getattr(owner, name, None)


def _attribute(names: Mapping[str, Any], attribute: str) -> Any:
    """Return the object under "step" or "Model.step" in a module's names; None if there
    is none.
    """
    head, _, path = attribute.partition(".")
    obj = names.get(head)
    return operator.attrgetter(path)(obj) if path else obj


def _is_of_jax(frame: types.FrameType) -> bool:
    name = str(frame.f_globals.get("__name__", ""))
    return name.partition(".")[0] in ("jax", "jaxlib")


def _takes(signature: inspect.Signature | None, names: Sequence[str]) -> bool:
    """Return whether a callable takes these keywords, as far as its signature says."""
    try:
        if signature is not None:
            signature.bind(**dict.fromkeys(names))
    except TypeError:
        return False
    return True


def _arguments(
    parameters: Sequence[inspect.Parameter], names: Sequence[str]
) -> list[str]:
    """Return the arguments of the call in a wrapper, with "..." for those that the user
    must add.

    ["rod=rod", "dt=dt", "speed=..."]   # of `def step(rod, dt, speed)` by rod, rate, dt
    """
    if any(one.kind == one.VAR_POSITIONAL for one in parameters):
        parameters = []
    required = [
        one for one in parameters if one.default is one.empty or one.name in names
    ]
    if not any(one.name in names for one in parameters):
        # Their names say nothing, so only the order is left.
        fits = not parameters or len(required) == len(names)
        return [*names] if fits else ["..."]
    values = [one.name if one.name in names else "..." for one in required]
    return [
        value if one.kind == one.POSITIONAL_ONLY else f"{one.name}={value}"
        for one, value in zip(required, values, strict=True)
    ]


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return signature_of(function)
    except Exception:  # noqa: BLE001 -- it may run code of the user's
        return None
