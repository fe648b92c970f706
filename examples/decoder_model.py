"""The implementation of `schemas/decoder.pyi`: one character through all layers.

cache, scores = decoder.decode(model, cache, character)
"""

import math

import jax
import jax.numpy as jnp
from jax import Array

from examples.transformer_model import normalised
from generated.decoder import Cache
from generated.transformer import Block, Scanned


def decode(model: Scanned, cache: Cache, character: Array) -> tuple[Cache, Array]:
    """Write the keys and values of one character into the cache, and attend to all so far."""
    layers, length, _, head = cache.keys.shape
    is_seen = jnp.arange(length) <= cache.used

    def apply(x: Array, part: tuple[Block, Array]) -> tuple[Array, None]:
        layer, number = part
        given = normalised(x, layer.attention_scale)
        query, key, value = jnp.einsum("w,iwhd->ihd", given, layer.query_key_value)
        cache.keys[number, cache.used] = key
        cache.values[number, cache.used] = value
        scores = jnp.einsum("hd,thd->ht", query, cache.keys[number]) / math.sqrt(head)
        weights = jax.nn.softmax(jnp.where(is_seen, scores, -jnp.inf))
        seen = jnp.einsum("ht,thd->hd", weights, cache.values[number])
        x = x + jnp.einsum("hd,hdw->w", seen, layer.output)
        given = normalised(x, layer.perceptron_scale)
        return x + jax.nn.gelu(given @ layer.up) @ layer.down, None

    x = model.embedding[character] + model.positions[cache.used]
    x, _ = jax.lax.scan(apply, x, (model.blocks, jnp.arange(layers)))
    return cache.replace(used=cache.used + 1), normalised(x, model.scale) @ model.embedding.T
