"""typing.NamedTuple: every field is a leaf."""

from codegen.adopted.mechanisms.mechanism import Mechanism

MECHANISM = Mechanism(
    name="NamedTuple",
    bases=frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple")),
    constructs_again=True,
)
