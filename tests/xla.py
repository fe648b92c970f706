"""How XLA compiles the programs of the tests: at once, for most of them run no more than once.

A version of XLA that no longer knows one of these flags ends with its name: it goes from here then.
"""

COMPILED_QUICKLY = "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"
