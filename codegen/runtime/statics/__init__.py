"""Static values of every type: containers, unions, constant arrays, foreign types, `Any`.

How a generated key function brings the field `x` of each type to its canonical value, and
what stands for it in the key's tag; what is neither in `keys` nor in `converters` is here.

Each field is first normalised, then its tag goes into the key's:

    type            statement                                            tag
    int             if type(x) is not int: x = as_int(x, cls, "x")       x
    bool            if type(x) is not bool: x = as_bool(x, cls, "x")     x
    str, bytes      likewise                                             x
    float           if type(x) is not float or isnan(x): x = as_float... float_tag(x)
    complex         if type(x) is not complex or ...: x = as_complex...  complex_tag(x)
    None            if x is not None: as_none(x, cls, "x")               None
    an enum E       if type(x) is not E: x = as_enum(x, E, cls, "x")     x
    Literal[1, 2]   x = as_literal(x, (1, 2), cls, "x")                  x
    dtype           x = as_dtype(x, cls, "x")                            x
    a constant      x = as_constant(x, "float32", cls, "x")              constant_tag(x)
    Callable        x = as_callable(x, cls, "x")                         id(x)
    a static class  if type(x) is not G: x = as_instance(x, G, cls, "x") its key
    an abstract one x = as_instance(x, H, cls, "x")                      its key
    T | None        if x is not None ...: the statement of T             that of T
    Any, a TypeVar  x, x_tag = as_static(x, cls, "x")                    x_tag
    anything else   x, x_tag = _codegen_Box_x.convert(x, cls, "x")       x_tag

Its key is `x.__codegen_key__`; where x may be None, `None if x is None else ...`.
`float_tag`, `complex_tag`, `constant_tag` and `id` take None too. Anything else is a
foreign class, `tuple`, `frozenset`, `frozendict`, values of several types such as
`Literal[1, "a"]`, `T | None` of a `Literal`, `Any` or a TypeVar, any other union, and
what is nested in these: a constant of the module, put together from the converters of
`composites.py`:

    _codegen_Box_x: Final = static_tuple(static_union(static_int, static_str))

Where it names a class that is defined later, the expression stands in the function. And
any type is brought in this way where the condition would be longer than a line.
"""

from ..keys.conversion import statics
from . import tags, views
from .composites import (
    static_any,
    static_bool,
    static_bytes,
    static_callable,
    static_complex,
    static_constant,
    static_dtype,
    static_enum,
    static_float,
    static_foreign,
    static_frozendict,
    static_frozenset,
    static_instance,
    static_int,
    static_items,
    static_literal,
    static_none,
    static_str,
    static_tuple,
    static_union,
)
from .constants import as_constant, constant_tag
from .tags import as_static

__all__ = [
    "as_constant",
    "as_static",
    "constant_tag",
    "static_any",
    "static_bool",
    "static_bytes",
    "static_callable",
    "static_complex",
    "static_constant",
    "static_dtype",
    "static_enum",
    "static_float",
    "static_foreign",
    "static_frozendict",
    "static_frozenset",
    "static_instance",
    "static_int",
    "static_items",
    "static_literal",
    "static_none",
    "static_str",
    "static_tuple",
    "static_union",
]

statics.tag = tags.as_static
statics.make_key = views.make_key
statics.fresh = views.fresh
statics.portable = views.pickled
