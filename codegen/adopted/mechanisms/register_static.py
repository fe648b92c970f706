"""jax: `register_static`, a class without leaves."""

from codegen.adopted.mechanisms.mechanism import Mechanism

MECHANISM = Mechanism(
    name="register_static",
    decorators=frozenset(("jax.tree_util.register_static", "jax._src.tree_util.register_static")),
    is_static=lambda _, __: True,
    sample="""\
import dataclasses

@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True)
class Plate:
    n: Any
""",
    is_frozen=False,
)
