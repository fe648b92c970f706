"""typing.NamedTuple: every field is a leaf.

A generated class is not a tuple. So a class is left as it is if its objects were used as tuples.
"""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="NamedTuple",
    bases=frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple")),
    constructs_again=True,
    interface=frozenset(
        (
            *("__iter__", "__getitem__", "__len__", "__contains__", "__reversed__"),
            *("__add__", "__radd__", "__mul__", "__rmul__", "count", "index"),
            *("__eq__", "__ne__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__"),
            *("_replace", "_asdict", "_make"),
        )
    ),
)
