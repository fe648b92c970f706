class _Model(Pytree):
    """Builder class of `Model`: the same slots, but not frozen."""


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_Model):

    encoder: Table  # dynamic
    decoder: Table  # dynamic

    def __new__(cls, encoder: Table, decoder: Table) -> Self:
        record = cls.__codegen_record__
        if type(encoder) is not Table:
            encoder = as_part(encoder, Table, cls, "encoder")
        if type(decoder) is not Table:
            decoder = as_part(decoder, Table, cls, "decoder")
        key = record.key(cls, ())
        obj: Self = unflatten(key, (encoder, decoder))
        require_shared(obj, ("encoder",), ("decoder",))
        return obj


def _codegen_split_Model(obj: Model, donated: list[Any], kept: list[Any]) -> Hashable:
    """Append each leaf to `donated` or `kept`; return the structure."""
    children = hollow(obj, (obj.encoder, obj.decoder))
    encoder = split_borrower(children[0], obj.encoder, kept, kept)
    return (obj.__codegen_key__, encoder)


register_dataclass(
    Model,
    schema="schema.Model",
    data_fields={"encoder": dynamic(Table), "decoder": dynamic(Table)},
    meta_fields={},
    key=_codegen_key_Model,
    flatten=_codegen_flatten_Model,
    unflatten=_codegen_unflatten_Model,
    split=_codegen_split_Model,
    shares=[(("encoder",), ("decoder",))],
)
