"""simple_pytree: `Pytree`, `@dataclass`, `static_field()`, `field(static=True)`."""

from codegen.adopt.libraries.library import DeclaredField, PytreeLibrary

_STATIC = ("simple_pytree.static_field", "simple_pytree.dataclass.static_field")


def _is_static(declared: DeclaredField) -> bool:
    return declared.has_option("static", True) or (
        declared.call is not None and declared.call.name in _STATIC
    )


LIBRARY = PytreeLibrary(
    name="simple_pytree",
    bases=frozenset(("simple_pytree.Pytree", "simple_pytree.pytree.Pytree")),
    fields=frozenset(("simple_pytree.field", "simple_pytree.dataclass.field", *_STATIC)),
    is_static=lambda declared, _: _is_static(declared),
)
