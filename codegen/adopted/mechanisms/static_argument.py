"""Plain frozen dataclasses that a jitted function takes as static arguments.

`finding/arguments.py` says which these are; nothing of the class itself does.
"""

from codegen.adopted.mechanisms.mechanism import Mechanism

MECHANISM = Mechanism(
    name="static argument",
    is_static=lambda _, __: True,
    sample="""\
import dataclasses

@dataclasses.dataclass(frozen=True)
class Plate:
    n: Any
""",
)
