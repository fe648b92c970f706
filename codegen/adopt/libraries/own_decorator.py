"""A decorator or base in the package itself that registers classes.

`finding/find.py` finds them: functions and classes whose own code calls a JAX function that
registers pytrees.
"""

from codegen.adopt.libraries.library import PytreeLibrary, refuse_always

LIBRARY = PytreeLibrary(
    name="own decorator or base",
    refuse=refuse_always("own registration"),
)
