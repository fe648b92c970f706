"""Functions that `jax.jit` compiles with `compiler_options`.

options = {"xla_gpu_enable_latency_hiding_scheduler": True}
function = JitWithOptions(run, compiler_options=options)
function(x)                         # compiled with the options
jax.jit(lambda x: function(x))(x)   # compiled with those of the outer `jit`
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import jax

from .tracing import is_tracing


class JitWithOptions:
    """A function under `jax.jit`. Calls within a trace have no compiler options, because
    JAX refuses them there.
    """

    def __init__(
        self, run: Callable[..., Any], compiler_options: dict[str, Any], **options: Any
    ) -> None:
        self._inside = jax.jit(run, **options)
        self._outside = jax.jit(run, **options, compiler_options=compiler_options)

    def __call__(self, *args: object) -> Any:
        return (self._inside if is_tracing() else self._outside)(*args)

    def __getattr__(self, name: str) -> Any:
        """Return a stage of `jax.jit`, such as `lower`."""
        return getattr(self._inside if is_tracing() else self._outside, name)


def compilers(
    options: Mapping[str, Any],
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the functions that compile a program without and with donation.

    A program takes its structure, the donated leaves and the kept leaves.
    """
    jit = JitWithOptions if options.get("compiler_options") else jax.jit
    keep = functools.partial(jit, static_argnums=0, **options)
    return keep, functools.partial(keep, donate_argnums=1)
