"""What generated classes and functions need when they run.

    constructor -> convert, statics    static values, converted and tagged
                -> keys                tag -> the one trace key, compared by identity
                -> arrays              numbers -> arrays
                -> registration        the class as a pytree whose rest is its key
    call        -> split               arguments -> leaves, donated and kept; structure
                -> entries, programs   structure -> one compiled program
                -> aliases, claims     donated fields -> markers (consumed)
                -> donation            what XLA does not reuse, reported by path
                -> recipes             its results, and what passed unchanged

A build writes the files that its schemas need; those that this module imports always.
"""

from .consumed import ConsumedError
from .donation import DonationWarning, settings
from .frozendict import frozendict
from .jit import jit

__all__ = ["ConsumedError", "DonationWarning", "frozendict", "jit", "settings"]
