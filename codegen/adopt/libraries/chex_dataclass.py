"""chex: `@chex.dataclass`; every field is a leaf.

The constructor is keyword-only, except with `mappable_dataclass=False`.
"""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="chex",
    decorators=frozenset(("chex.dataclass", "chex._src.dataclass.dataclass")),
    options={"mappable_dataclass": True},
    sorts_leaves=True,
    constructs_again=True,
    interface=frozenset(
        (
            *(
                "__iter__",
                "__getitem__",
                "__len__",
                "__contains__",
                "keys",
                "values",
                "items",
                "get",
            ),
            *("to_tuple", "from_tuple"),
        )
    ),
    is_frozen=False,
)
