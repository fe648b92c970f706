"""XLA flags and compilation cache of the tests. Most programs run only once, so fast compilation matters."""

from importlib.metadata import version
from pathlib import Path

COMPILED_QUICKLY = (
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true "
    "--xla_cpu_parallel_codegen_split_count=1"
)
# XLA exits on an unknown flag, and versions after 0.10 do not know this one.
if version("jaxlib").startswith("0.10."):
    COMPILED_QUICKLY += " --xla_cpu_use_fusion_emitters=false"


def compilation_cache(folder: Path) -> dict[str, str]:
    """Return the environment variables with which processes share compiled programs of any size."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(folder),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
