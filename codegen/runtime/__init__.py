"""The run time of generated code, and what users import beside it.

    from codegen import runtime as _rt          # in a generated module
    from codegen.runtime import max_traces, diff

`api.py` lists the names. It is imported when the first of them is used, because the
compiler imports parts of this package without JAX.
"""

from typing import TYPE_CHECKING, Any, Final

PROTOCOL: Final = 2
"""The number of the interface between generated modules and this package."""

if TYPE_CHECKING:
    from .api import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        number = name.removeprefix("protocol_v")
        if number != name and number.isdecimal() and int(number) != PROTOCOL:
            raise ImportError(_mismatch(int(number)))
        from .api import __dict__ as names

        # While `api` is being imported, modules of this package are looked up here, too.
        if name not in names.get("__all__", ()):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals().update({each: names[each] for each in names["__all__"]})
        return names[name]


def _mismatch(number: int) -> str:
    what = (
        f"the generated code has protocol v{number}, but `{__name__}` has protocol "
        f"v{PROTOCOL}"
    )
    if number > PROTOCOL:
        return f"{what}. The package is older: upgrade `pytree-codegen`"
    return f"{what}. The code is older: run `codegen build` again"
