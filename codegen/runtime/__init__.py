"""The run time of generated code, and what users import beside it.

    from codegen import runtime as _rt          # in a generated module
    from codegen.runtime import max_traces, diff

`api.py` lists the names, for type checkers and for this file. Each is imported when it is
first used, so that an import of a generated module imports only what the module needs.
The compiler imports parts of this package without JAX.
"""

import contextlib
import importlib
import pkgutil
import re
from typing import TYPE_CHECKING, Any, Final

PROTOCOL: Final = 2
"""The number of the interface between generated modules and this package."""


def _modules_of_names() -> dict[str, str]:
    """Return the module that defines each name, as `api.py` lists them.

    Empty if there is only bytecode: then all are imported at once.
    """
    with contextlib.suppress(OSError):
        source = (pkgutil.get_data(__name__, "api.py") or b"").decode()
        pairs = re.findall(r"^from \.(\S+) import (\w+)", source, re.MULTILINE)
        return {name: module for module, name in pairs}
    return {}


if TYPE_CHECKING:
    from .api import *  # noqa: F403
else:
    _HOMES = _modules_of_names()

    def __getattr__(name: str) -> Any:
        number = name.removeprefix("protocol_v")
        if number != name and number.isdecimal() and int(number) != PROTOCOL:
            raise ImportError(_mismatch(int(number)))
        if _HOMES and name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = importlib.import_module(f"{__name__}.{_HOMES.get(name, 'api')}")
        found = globals()[name] = getattr(home, name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})


def _mismatch(number: int) -> str:
    what = (
        f"the generated code has protocol v{number}, but `{__name__}` has protocol "
        f"v{PROTOCOL}"
    )
    if number > PROTOCOL:
        return f"{what}. The package is older: upgrade `pytree-codegen`"
    return f"{what}. The code is older: run `codegen build` again"
