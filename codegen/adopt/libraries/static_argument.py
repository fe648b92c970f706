"""Plain frozen dataclasses that a jitted function takes as static arguments.

`finding/find.py` finds them from the jitted functions. The class itself does not declare it.
"""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="static argument",
    is_static=lambda _, __: True,
)
