"""distrax: `Jittable`; attributes that contain an array when it is flattened are leaves."""

from codegen.adopt.libraries.library import PytreeLibrary, refuse_always

LIBRARY = PytreeLibrary(
    name="distrax",
    bases=frozenset(
        (
            "distrax._src.utils.jittable.Jittable",
            *(f"distrax.{name}" for name in ("Distribution", "Bijector", "Transformed")),
        )
    ),
    refuse=refuse_always("roles by values"),
)
