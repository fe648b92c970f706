"""equinox: `Module`, `field(static=True, converter=...)`, `static_field()`."""

from codegen.adopted.mechanisms.mechanism import DeclaredField, Mechanism

_STATIC = ("equinox.static_field", "equinox._module._field.static_field")


def _is_static(declared: DeclaredField) -> bool:
    return declared.says("static", True) or (
        declared.call is not None and declared.call.name in _STATIC
    )


MECHANISM = Mechanism(
    name="equinox",
    bases=frozenset(
        (
            "equinox.Module",
            "equinox._module.Module",
            "equinox._module._module.Module",
            "equinox._better_abstract.Module",
        )
    ),
    fields=frozenset(("equinox.field", "equinox._module._field.field", *_STATIC)),
    is_static=lambda declared, _: _is_static(declared),
    sample="""\
import equinox as eqx

class Plate(eqx.Module):
    u: jax.Array
    n: Any = eqx.field(static=True)
""",
)
