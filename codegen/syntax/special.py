"""The special methods that a generated class defines itself, which no schema declares.

GENERATED["__init__"]    ->    "the constructor is generated: leave it out; ..."
"""

from __future__ import annotations

from typing import Final

_NAMES: Final = {
    "the constructor is generated: leave it out; defaults, `field(convert=...)` and a mixin's "
    "`__check_init__` do what it would": "check_init init new post_init",
    "objects are equal, and hashed, by what they hold; with `eq=False` in the head of the class, a "
    "mixin says otherwise": "eq ne hash",
    "objects are copied and pickled by their fields: leave it out": (
        "copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex"
    ),
    "objects are frozen: leave it out": "setattr delattr",
    "it follows from the fields: leave it out": (
        "annotations dataclass_fields dataclass_params dict match_args replace slots weakref"
    ),
    "it belongs to the class, which is generated: leave it out": (
        "class class_getitem doc getattribute init_subclass module name qualname set_name "
        "subclasshook"
    ),
}
# What to write instead of each.
GENERATED: Final = {
    f"__{one}__": advice for advice, names in _NAMES.items() for one in names.split()
}


def is_special(name: str) -> bool:
    """Whether a name is one of Python's own: `__call__`."""
    return name.startswith("__") and name.endswith("__") and len(name) > len("____")
