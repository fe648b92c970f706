"""Refuse mixins with which a class would not be what its schema says.

    check_mixins("Wave", Doubling)      # before the class: is it a mixin at all?

    class Wave(Doubling, Pytree): ...

    check_members(Wave)                 # after it: do both define something?

A mixin comes before our own bases, so that its `__repr__` and its operators win. It could
silently hide what the generated code relies on, or be hidden by it.
"""

from typing import Any, Final

from .classes.subclasses import clashes, fault_of, is_known

_RULES: Final = (
    "Either it has a module of its own, which imports generated ones for type checkers "
    "alone; or the output lies inside its package, the generated class is imported below "
    "all that the schema names of that module, and the package's `__init__` imports that first"
)


def explain(error: ImportError, module: str) -> None:
    """Say what makes an import work that came back to a module which is only half imported."""
    if "partially initialized" in error.msg and _RULES not in error.msg:
        error.msg += f". `{module}` takes names of a module that imports it. {_RULES}"


def check_mixins(name: str, *mixins: Any) -> None:
    """Refuse what brings no methods, and an order of bases in which there is no class."""
    for place, mixin in enumerate(mixins, 1):
        if fault := fault_of(mixin):
            raise _refused(name, mixin, fault)
        for other in mixins[place:]:
            # Not `issubclass`, which some classes answer by hand.
            if mixin in other.__mro__:
                derived = f"`{other.__qualname__}`, which stands behind it"
                raise _refused(name, mixin, f"{derived}, derives from it: leave it out")


def check_members(cls: Any) -> None:
    """Refuse mixins, inherited ones too, that define what a class has to define itself."""
    for mixin in cls.__mro__:
        fault = "" if is_known(mixin) else clashes(cls, mixin)
        if fault:
            raise _refused(cls.__qualname__, mixin, f"both define {fault}")


def _refused(name: str, mixin: Any, fault: str) -> TypeError:
    shown = getattr(mixin, "__qualname__", None) or repr(mixin)
    of = f" of `{mixin.__module__}`" if hasattr(mixin, "__module__") else ""
    return TypeError(f"`{name}` cannot have the mixin `{shown}`{of}: {fault}")
