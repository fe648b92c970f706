"""Static values of every type: containers, unions, constant arrays, foreign types, `Any`."""

from ..keys.conversion import statics
from . import tags, views
from .composites import as_constant as as_constant
from .composites import constant_tag as constant_tag
from .composites import static_bool as static_bool
from .composites import static_bytes as static_bytes
from .composites import static_callable as static_callable
from .composites import static_complex as static_complex
from .composites import static_constant as static_constant
from .composites import static_dtype as static_dtype
from .composites import static_enum as static_enum
from .composites import static_float as static_float
from .composites import static_frozenset as static_frozenset
from .composites import static_instance as static_instance
from .composites import static_int as static_int
from .composites import static_items as static_items
from .composites import static_literal as static_literal
from .composites import static_none as static_none
from .composites import static_str as static_str
from .composites import static_tuple as static_tuple
from .composites import static_union as static_union
from .tags import as_static as as_static
from .tags import static_any as static_any
from .tags import static_foreign as static_foreign

statics.tag = tags.as_static
statics.make_key = views.make_key
statics.fresh = views.fresh
statics.portable = views.pickled
