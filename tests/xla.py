"""How XLA compiles the programs of the tests: at once, for most of them run no more than once."""

from importlib.metadata import version

COMPILED_QUICKLY = "--xla_backend_optimization_level=0"
# XLA ends with the name of a flag that it does not know, as a later one does of this.
if version("jaxlib").startswith("0.10."):
    COMPILED_QUICKLY += " --xla_cpu_use_fusion_emitters=false"
