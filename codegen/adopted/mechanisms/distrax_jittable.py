"""distrax: `Jittable`; attributes that contain an array when it is flattened are leaves."""

from codegen.adopted.mechanisms.mechanism import Mechanism, by_hand

MECHANISM = Mechanism(
    name="distrax",
    bases=frozenset(
        (
            "distrax._src.utils.jittable.Jittable",
            *(f"distrax.{name}" for name in ("Distribution", "Bijector", "Transformed")),
        )
    ),
    refuse=by_hand("roles by values"),
)
