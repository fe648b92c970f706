"""equinox: `Module`, `field(static=True, converter=...)`, `static_field()`."""

from codegen.adopt.libraries.library import DeclaredField, PytreeLibrary

_STATIC = ("equinox.static_field", "equinox._module._field.static_field")


def _is_static(declared: DeclaredField) -> bool:
    return declared.has_option("static", True) or (
        declared.call is not None and declared.call.name in _STATIC
    )


LIBRARY = PytreeLibrary(
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
)
