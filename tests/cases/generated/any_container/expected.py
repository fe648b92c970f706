@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_Model):

    items: Sequence[Float32[Array, ""]]  # dynamic
    rates: Mapping[str, Float32[Array, ""]]  # dynamic

    def __new__(
        cls, items: Sequence[ArrayLike], *, rates: Mapping[str, ArrayLike] = MISSING
    ) -> Self:
        if rates is MISSING:
            rates = {}
        record = cls.__codegen_record__
        items = record.data_fields["items"].dynamic(items, cls, "items")
        rates = record.data_fields["rates"].dynamic(rates, cls, "rates")
        key = record.key(cls, ())
        return record.unflatten(key, (items, rates))

    @classmethod
    def abstract(cls, *, items: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array.

        Args:
            items: the number of elements of `items`
        """
        return make_abstract(cls, items=items)


register_dataclass(
    Model,
    schema="schema.Model",
    data_fields={
        "items": dynamic(sequence_of(array("float32"), count="items")),
        "rates": dynamic(mapping_of(str, array("float32"))),
    },
    meta_fields={},
    key=_codegen_key_Model,
    flatten=_codegen_flatten_Model,
    unflatten=_codegen_unflatten_Model,
    factories={"rates": "builtins:dict"},
)
