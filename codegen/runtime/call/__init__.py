"""Functions: compiled for each structure of arguments, donating per field."""

from ..split import split
from .consumed import ConsumedError
from .functions import Bound, Function
from .reuse import DonationWarning

__all__ = ["Bound", "ConsumedError", "DonationWarning", "Function", "split"]
