"""Decode 1,000 tokens with a cache of keys and values: a Ref, a donated array, and others.

    $ python -m benchmarks.refs
    a cache of 2 arrays of 2.0 MiB, 1000 tokens, jax 0.10.2
                          us a token  Ref / this  planned MiB
    codegen, a Ref             327.9        1.00          7.8
    codegen, donated           310.6        1.06          7.8
    jax.jit, a Ref             376.2        0.87          7.8
    jax.jit, donated           333.0        0.98          7.8
    flax.nnx.jit              1351.7        0.24         11.8

Every variant runs the same attention of one token over the cache, and writes one position of it. Times are minima of
alternating runs. "Planned" is the memory that XLA allocates for arguments, results and temporaries of a call. This
needs the packages of the extra `benchmarks`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from flax import nnx
from jax import Array

CHECKOUT = Path(__file__).parents[1]
LENGTH, HEADS, HEAD = 1000, 8, 64
SHAPE = (LENGTH, HEADS, HEAD)
MIB = 2**20
SCHEMA = """
from codegen.schema import Dim, donated, dynamic, f32, i32, impl, ref

length = Dim()
heads = Dim()
head = Dim()

class Cache:
    k: ref[f32[length, heads, head]]
    v: ref[f32[length, heads, head]]
    used: donated[i32] = 0

class Donated:
    k: donated[f32[length, heads, head]]
    v: donated[f32[length, heads, head]]
    used: donated[i32] = 0

@impl("benchmarks.refs:by_ref")
def by_ref(cache: donated[Cache], x: dynamic[f32[heads, head]]) -> tuple[Cache, f32[heads, head]]: ...
@impl("benchmarks.refs:by_value")
def by_value(cache: donated[Donated], x: dynamic[f32[heads, head]]) -> tuple[Donated, f32[heads, head]]: ...
"""
OURS = "codegen, a Ref"
MOST = 1.05  # runs of one variant differ by as much


def attention(k: Array, v: Array, used: Array, x: Array) -> Array:
    """Attend from one token, (heads, head), to those in the cache."""
    scores = jnp.einsum("hd,thd->ht", x, k) / HEAD**0.5
    weights = jax.nn.softmax(jnp.where(jnp.arange(LENGTH) <= used, scores, -jnp.inf))
    return jnp.einsum("ht,thd->hd", weights, v)


def by_ref(cache: Any, x: Array) -> tuple[Any, Array]:
    """Write the token into the Refs of a cache."""
    cache.k[cache.used] = x
    cache.v[cache.used] = x
    y = attention(cache.k[...], cache.v[...], cache.used, x)
    return cache.replace(used=cache.used + 1), y


def by_value(cache: Any, x: Array) -> tuple[Any, Array]:
    """Replace the arrays of a cache, whose buffers are donated."""
    k, v = cache.k.at[cache.used].set(x), cache.v.at[cache.used].set(x)
    return cache.replace(k=k, v=v, used=cache.used + 1), attention(k, v, cache.used, x)


class Variant(NamedTuple):
    """A way to keep a cache."""

    # Returns a cache, in the form that the step takes and returns.
    make: Callable[[], tuple[Any, ...]]
    # From a cache and a token to a cache and the next token.
    step: Callable[..., tuple[Any, ...]]
    # Compiles the step for a cache and a token.
    compiled: Callable[..., Any]

    def run(self, tokens: int) -> Array:
        """Decode, and return the last output."""
        given = *self.make(), jnp.ones(SHAPE[1:])
        for _ in range(tokens):
            given = self.step(*given)
        last: Array = given[-1]
        return last.block_until_ready()

    def planned(self) -> float:
        """Return the memory of a call in MiB."""
        found = self.compiled(*self.make(), jnp.ones(SHAPE[1:])).memory_analysis()
        sizes = found.argument_size_in_bytes, found.output_size_in_bytes, found.temp_size_in_bytes
        return float((sum(sizes) - found.alias_size_in_bytes) / MIB)


def _ours(kind: Any, step: Any) -> Variant:
    make = kind.abstract(length=LENGTH, heads=HEADS, head=HEAD).zeros
    return Variant(lambda: (make(),), step, lambda *given: step.lower(*given).compile())


def _plain_ref() -> Variant:
    @jax.jit
    def step(k: Any, v: Any, used: Array, x: Array) -> tuple[Array, Array]:
        k[used] = x
        v[used] = x
        return used + 1, attention(k[...], v[...], used, x)

    def make() -> tuple[Any, ...]:
        refs = jax.new_ref(jnp.zeros(SHAPE)), jax.new_ref(jnp.zeros(SHAPE))
        return *refs, jnp.zeros((), jnp.int32)

    return Variant(
        make,
        lambda k, v, used, x: (k, v, *step(k, v, used, x)),
        lambda *given: step.lower(*given).compile(),
    )


def _plain_donation() -> Variant:
    @partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(k: Array, v: Array, used: Array, x: Array) -> tuple[Array, ...]:
        k, v = k.at[used].set(x), v.at[used].set(x)
        return k, v, used + 1, attention(k, v, used, x)

    def make() -> tuple[Array, ...]:
        return jnp.zeros(SHAPE), jnp.zeros(SHAPE), jnp.zeros((), jnp.int32)

    return Variant(make, step, lambda *given: step.lower(*given).compile())


class _NnxCache(nnx.Module):
    def __init__(self) -> None:
        self.k, self.v = nnx.Variable(jnp.zeros(SHAPE)), nnx.Variable(jnp.zeros(SHAPE))
        self.used = nnx.Variable(jnp.zeros((), jnp.int32))


def _nnx() -> Variant:
    def write(cache: _NnxCache, x: Array) -> Array:
        used = cache.used[...]
        cache.k[...] = cache.k[...].at[used].set(x)
        cache.v[...] = cache.v[...].at[used].set(x)
        cache.used[...] = used + 1
        return attention(cache.k[...], cache.v[...], used, x)

    step: Any = nnx.jit(write)
    return Variant(
        lambda: (_NnxCache(),),
        lambda cache, x: (cache, step(cache, x)),
        lambda *given: step.lower(*given).compile().compiled,
    )


def variants() -> dict[str, Variant]:
    """Return the variants by name."""
    ours = _generated()
    return {
        OURS: _ours(ours.Cache, ours.by_ref),
        "codegen, donated": _ours(ours.Donated, ours.by_value),
        "jax.jit, a Ref": _plain_ref(),
        "jax.jit, donated": _plain_donation(),
        "flax.nnx.jit": _nnx(),
    }


def _generated() -> Any:
    """Build the schema and import the module."""
    folder = tempfile.mkdtemp(prefix="refs-")
    Path(folder, "schemas").mkdir()
    Path(folder, "schemas", "caches.pyi").write_text(SCHEMA, encoding="utf-8")
    Path(folder, "pyproject.toml").write_text('[tool.codegen]\nout = "refs_generated"\n')
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    build = [sys.executable, "-m", "codegen", "-q", "build"]
    subprocess.run(build, cwd=folder, env=environment, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("refs_generated.caches")


def measure(found: dict[str, Variant], tokens: int, repeats: int) -> dict[str, float]:
    """Return the minimum seconds of a token by name. All variants give the same output."""
    outputs = {name: variant.run(tokens) for name, variant in found.items()}
    for name, output in outputs.items():
        if not jnp.allclose(output, outputs[OURS], rtol=1e-5):
            raise SystemExit(f"{name} gives another output")
    least = dict.fromkeys(found, float("inf"))
    for _ in range(repeats):
        for name, variant in found.items():
            started = perf_counter()
            variant.run(tokens)
            least[name] = min(least[name], (perf_counter() - started) / tokens)
    return least


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description="Compare caches of a decoder.")
    parser.add_argument("--tokens", type=int, default=LENGTH)
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()
    found = variants()
    size = 4 * LENGTH * HEADS * HEAD / MIB
    print(f"a cache of 2 arrays of {size:.1f} MiB, {options.tokens} tokens, jax {jax.__version__}")
    least = measure(found, options.tokens, options.repeats)
    print(f"{'':20}{'us a token':>12}{'Ref / this':>12}{'planned MiB':>13}")
    for name, seconds in least.items():
        ratio, planned = least[OURS] / seconds, found[name].planned()
        print(f"{name:20}{1e6 * seconds:12.1f}{ratio:12.2f}{planned:13.1f}")
    if least[OURS] > MOST * least["codegen, donated"]:
        sys.exit("a cache of Refs is slower than a donated one")


if __name__ == "__main__":
    main()
