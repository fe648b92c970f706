"""Text from a trained transformer, one character at a time, with a cache of keys and values."""

from codegen.schema import donated, dynamic, f32, i32, impl, ref

from .transformer import Scanned, head, heads, layers, length, vocabulary

class Cache:
    """Keys and values of the characters so far. They are written in place."""

    keys: ref[f32[layers, length, heads, head]]
    values: ref[f32[layers, length, heads, head]]
    used: donated[i32] = 0  # characters so far

@impl("examples.decoder_model:decode")
def decode(
    model: dynamic[Scanned], cache: donated[Cache], character: dynamic[i32]
) -> tuple[Cache, f32[vocabulary]]:
    """Read a character. Return the cache, and unnormalised log-probabilities of the next one."""
