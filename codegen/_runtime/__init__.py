"""What generated classes and functions need when they run.

    constructor -> convert, statics    static values, converted and tagged
                -> keys                tag -> the one trace key, compared by identity
                -> arrays              numbers -> arrays
                -> registration        the class as a pytree whose rest is its key
    call        -> split               arguments -> leaves, donated and kept; structure
                -> entries, programs   structure -> one compiled program
                -> aliases, claims     donated fields -> markers (consumed, spent)
                -> donation, reports   what XLA does not reuse, reported by path
                -> weak                arrays of weak type, brought to the declared one
                -> debugging           what JAX and tracebacks show of it
                -> settings            what can be set for all of them
                -> recipes             its results, and what passed unchanged
    identities  -> tagged, graphs      objects at several places -> a tree with marks
                -> untagged            such a tree -> the objects
    draft       -> drafts, draft_items fields and items of a mutable twin
                -> draft_values        what is assigned, converted
                -> draft_state         cells, shared ones too, and their trace
    lift        -> lifted              functions of drafts as functions of objects
    object      -> leaves              its arrays, with the names of their axes
                -> axes, meshes        those as positions, specs and shardings
                -> fingerprints        schema and statics -> a digest
                -> processes           the same in every process, or an error

A build writes the files that its schemas need; those that this module imports always.
"""

from . import lift
from .consumed import ConsumedError
from .donation import DonationWarning
from .draft_state import DraftError
from .frozendict import frozendict
from .identities import preserve_identities
from .jit import jit
from .processes import assert_same_everywhere
from .settings import settings

__all__ = [
    "ConsumedError",
    "DonationWarning",
    "DraftError",
    "assert_same_everywhere",
    "frozendict",
    "jit",
    "lift",
    "preserve_identities",
    "settings",
]
