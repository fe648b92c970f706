"""Trace keys: exact static values of plain types, and their descriptions in error
messages.
"""

from .conversion import KEEP as KEEP
from .conversion import MISSING as MISSING
from .conversion import Converted as Converted
from .conversion import Keep as Keep
from .conversion import as_bool as as_bool
from .conversion import as_complex as as_complex
from .conversion import as_float as as_float
from .conversion import as_int as as_int
from .conversion import as_str as as_str
from .conversion import check_init as check_init
from .conversion import float_tag as float_tag
from .interning import TraceKey as TraceKey
from .interning import intern as intern
from .interning import trace_key as trace_key
