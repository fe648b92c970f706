"""A generated module by hand: what a class can hold under a donated field."""

import dataclasses
from typing import Any, Final

from jax import Array
from jax.typing import ArrayLike

from codegen.runtime.call.functions import Bound, Function
from codegen.runtime.classes.arrays import CONVERTED, as_array
from codegen.runtime.classes.bases import Pytree
from codegen.runtime.classes.registration import register_dataclass
from codegen.runtime.classes.split import split
from codegen.runtime.keys.interning import TraceKey, intern_key
from tests.runtime.sample import Linear


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Bag(Pytree):
    """Donated containers, with arrays and generated objects in them, and an optional."""

    __slots__ = ("extra", "layers", "named", "pair", "total")

    pair: tuple[Any, ...]
    named: dict[str, Any]
    layers: tuple[Linear, ...]
    extra: Array | None
    total: Array

    def __init__(
        self,
        pair: tuple[Any, ...],
        named: dict[str, Any],
        layers: tuple[Linear, ...],
        extra: ArrayLike | None,
        total: ArrayLike,
    ) -> None:
        if type(total) in CONVERTED:
            total = as_array(total, "float32", type(self), "total")
        key = _codegen_key_bag(type(self))
        _codegen_fill_bag(self, key, (pair, named, layers, extra, total))


def _codegen_key_bag(cls: type[Bag]) -> TraceKey:
    return intern_key(cls, (), ())


def _codegen_fill_bag(obj: Bag, key: TraceKey, children: tuple[Any, ...]) -> None:
    for name, value in zip(("pair", "named", "layers", "extra", "total"), children, strict=True):
        object.__setattr__(obj, name, value)
    object.__setattr__(obj, "__codegen_key__", key)


def _codegen_flatten_bag(obj: Bag) -> tuple[tuple[Any, ...], TraceKey]:
    return (obj.pair, obj.named, obj.layers, obj.extra, obj.total), obj.__codegen_key__


def _codegen_split_bag(obj: Bag, donated: list[Any], kept: list[Any]) -> tuple[Any, ...]:
    pair = split(obj.pair, donated, kept)
    named = split(obj.named, donated, kept)
    layers = split(obj.layers, donated, kept)
    extra = split(obj.extra, donated, kept)
    kept.append(obj.total)
    return (obj.__codegen_key__, pair, named, layers, extra)


register_dataclass(
    Bag,
    data_fields=["pair", "named", "layers", "extra", "total"],
    meta_fields=[],
    flatten=_codegen_flatten_bag,
    fill=_codegen_fill_bag,
    key=_codegen_key_bag,
    split=_codegen_split_bag,
)


def _codegen_bind_double(bag: Bag) -> Bound:
    donated: list[Any] = []
    kept: list[Any] = []
    return split(bag, donated, kept), donated, kept, (bag,)


def _codegen_impl_double(bag: Bag) -> Bag:
    import jax

    return jax.tree.map(lambda x: x * 2, bag)  # type: ignore[no-any-return]


double: Final = Function(_codegen_bind_double, _codegen_impl_double, name="double", donated=["bag"])
