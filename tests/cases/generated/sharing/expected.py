@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_rt.Pytree):

    encoder: Table  # dynamic
    decoder: Table  # dynamic

    def __new__(cls, encoder: Table, decoder: Table) -> Self:
        if type(encoder) is not Table:
            encoder = _rt.as_part(encoder, Table, cls, "encoder")
        if type(decoder) is not Table:
            decoder = _rt.as_part(decoder, Table, cls, "decoder")
        key = _rt.trace_key(cls, (), ())
        obj: Self = _rt.unflatten(key, (encoder, decoder))
        _rt.require_shared(obj, ("encoder",), ("decoder",))
        return obj
