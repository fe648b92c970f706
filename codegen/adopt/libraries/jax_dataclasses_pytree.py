"""jax_dataclasses: `@jdc.pytree_dataclass`, `jdc.Static[...]`, `jdc.static_field()`."""

from codegen.adopt.libraries.library import DeclaredField, PytreeLibrary

_STATIC = frozenset(("jax_dataclasses.Static", "jax_dataclasses._dataclasses.Static"))
_FIELDS = frozenset(("jax_dataclasses.static_field", "jax_dataclasses._dataclasses.static_field"))


def _is_static(declared: DeclaredField) -> bool:
    by_field = declared.call is not None and declared.call.name in _FIELDS
    return by_field or not _STATIC.isdisjoint(declared.annotation_names[:1])


LIBRARY = PytreeLibrary(
    name="jax_dataclasses",
    decorators=frozenset(
        ("jax_dataclasses.pytree_dataclass", "jax_dataclasses._dataclasses.pytree_dataclass")
    ),
    fields=frozenset((*_FIELDS, "jax_dataclasses.field")),
    is_static=lambda declared, _: _is_static(declared),
    constructs_again=True,
)
