"""chex: `@chex.dataclass`, of which every field is a leaf, and the constructor takes keywords alone."""

from codegen.adopted.mechanisms.mechanism import Mechanism

MECHANISM = Mechanism(
    name="chex",
    decorators=frozenset(("chex.dataclass", "chex._src.dataclass.dataclass")),
    options={"kw_only": True, "mappable": True},
    constructs_again=True,
    is_frozen=False,
)
