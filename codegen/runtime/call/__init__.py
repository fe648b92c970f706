"""Functions: compiled for each structure of arguments."""

from .compiled import Lowered
from .errors import ConsumedError, DonationWarning
from .functions import Bound, Function

__all__ = ["Bound", "ConsumedError", "DonationWarning", "Function", "Lowered"]
