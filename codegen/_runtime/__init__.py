"""What generated classes and functions need when they run.

    constructor -> convert, statics    static values, converted and tagged
                -> keys                tag -> the one trace key, compared by identity
                -> arrays              numbers -> arrays
                -> registration        the class as a pytree whose rest is its key
    call        -> split               arguments -> leaves, donated and kept; structure
                -> entries, functions  structure -> one compiled program
                -> recipes             its results, and what passed unchanged

A build writes the files that its schemas need; those that this module imports always.
"""

from .frozendict import frozendict
from .jit import jit

__all__ = ["frozendict", "jit"]
