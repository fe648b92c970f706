"""TORAX: `StaticDataclass`, hashed and compared by value, passed as a static argument."""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="StaticDataclass",
    bases=frozenset(("torax._src.static_dataclass.StaticDataclass",)),
    refuses_identity=True,
    is_static=lambda _, __: True,
    sample="""\
import dataclasses
from torax._src.static_dataclass import StaticDataclass

@dataclasses.dataclass(frozen=True, eq=False)
class Plate(StaticDataclass):
    n: Any
""",
)
