import jax
import jax.numpy as jnp
from flax import struct

from barn.kinds import Cat, Cow, feed


@struct.dataclass
class Tag:
    u: jax.Array


def test_constructor_has_annotations():
    feed(jnp.zeros(3))
    assert "hay" in Cow.__init__.__annotations__


def test_objects_are_created():
    assert Tag(Cat(jnp.zeros(3)).u).u.sum() == 0
