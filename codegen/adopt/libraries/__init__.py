"""The table of known libraries; the first one that claims a class gets it."""

from typing import Final

from codegen.adopt.libraries import (
    chex_dataclass,
    distrax_jittable,
    equinox_module,
    flattened_by_hand,
    flax_struct,
    jax_dataclasses_pytree,
    jax_md_dataclasses,
    mjx_node,
    named_tuple,
    nnx_object,
    numpyro_distribution,
    own_decorator,
    penzai_struct,
    register_dataclass,
    register_static,
    simple_pytree_class,
    static_argument,
    torax_static,
)
from codegen.adopt.libraries.library import PytreeLibrary

LIBRARIES: Final[dict[str, PytreeLibrary]] = {
    module.LIBRARY.name: module.LIBRARY
    for module in (
        flattened_by_hand,
        nnx_object,
        mjx_node,
        distrax_jittable,
        numpyro_distribution,
        flax_struct,
        chex_dataclass,
        jax_dataclasses_pytree,
        penzai_struct,
        jax_md_dataclasses,
        register_dataclass,
        register_static,
        torax_static,
        simple_pytree_class,
        equinox_module,
        named_tuple,
        own_decorator,
        static_argument,
    )
}
