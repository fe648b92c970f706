"""numpyro: `Distribution`, `Transform`, `Constraint`, which list leaves and flatten themselves."""

from codegen.adopt.libraries.library import PytreeLibrary, refuse_always

_MODULE = "numpyro.distributions"

LIBRARY = PytreeLibrary(
    name="numpyro",
    bases=frozenset(
        (
            *(f"{_MODULE}.{name}" for name in ("Distribution", "TransformedDistribution")),
            f"{_MODULE}.distribution.Distribution",
            f"{_MODULE}.transforms.Transform",
            f"{_MODULE}.constraints.Constraint",
        )
    ),
    refuse=refuse_always("own flatten"),
)
