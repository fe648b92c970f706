"""How XLA compiles the programs of the tests: at once, for most of them run no more than once."""

from importlib.metadata import version
from pathlib import Path

COMPILED_QUICKLY = "--xla_backend_optimization_level=0"
# XLA ends with the name of a flag that it does not know, as a later one does of this.
if version("jaxlib").startswith("0.10."):
    COMPILED_QUICKLY += " --xla_cpu_use_fusion_emitters=false"


def compilation_cache(folder: Path) -> dict[str, str]:
    """Return the environment in which processes share what JAX compiles, however small."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(folder),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
