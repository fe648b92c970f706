from collections.abc import Callable

import jax
from codegen.schema import dynamic, f32, field, static

class Model(kw_only=False):
    rates: dynamic[dict[str, f32]] = {}
    state: dynamic[f32] = field(factory="models:state")
    activation: static[Callable[[f32], f32]] = jax.nn.relu
