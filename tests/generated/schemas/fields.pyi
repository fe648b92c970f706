"""Fields that say more of themselves than role and type."""

from collections.abc import Callable, Mapping, Sequence

import jax
from codegen.schema import Dim, donated, dynamic, f32, field, identity, static

from tests.generated.impl.foreign import NO_NAME, Config

n = Dim()

class Linear:
    w: donated[f32[n]] = field(init="ones", tag="decay")
    b: donated[f32[n]] = field(init="zeros")

class Made(kw_only=False):
    table: dynamic[dict[str, f32]] = {}
    items: dynamic[list[f32] | None] = []
    ones: dynamic[f32[n]] = field(factory="tests.generated.impl.functions:ones")
    activation: static[Callable[[f32], f32]] = jax.nn.relu
    config: static[Config] = NO_NAME

class Same:
    function: static[identity[Callable[[f32], f32]]]
    client: static[identity[Config] | None] = None

class Bag:
    parts: donated[Sequence[Linear]]
    rates: dynamic[Mapping[str, f32]] = {}

class Net:
    first: donated[Linear] = field(tag="frozen")
    rest: dynamic[tuple[Linear, ...]] = ()
    name: static[str] = "net"
