"""TORAX: `StaticDataclass`, hashed and compared by value, passed as a static argument."""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="StaticDataclass",
    bases=frozenset(("torax._src.static_dataclass.StaticDataclass",)),
    is_static=lambda _, __: True,
)
