"""numpyro: `Distribution`, `Transform`, `Constraint`, which list leaves and flatten themselves."""

from codegen.adopted.mechanisms.mechanism import Mechanism, by_hand

_MODULE = "numpyro.distributions"

MECHANISM = Mechanism(
    name="numpyro",
    bases=frozenset(
        (
            *(f"{_MODULE}.{name}" for name in ("Distribution", "TransformedDistribution")),
            f"{_MODULE}.distribution.Distribution",
            f"{_MODULE}.transforms.Transform",
            f"{_MODULE}.constraints.Constraint",
        )
    ),
    refuse=by_hand("own flatten"),
)
