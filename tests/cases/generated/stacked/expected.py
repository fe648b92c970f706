@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_Model):

    scanned: Block  # donated, stacked
    unrolled: tuple[Block, ...]  # dynamic

    def __new__(cls, scanned: Block, unrolled: tuple[Block, ...]) -> Self:
        record = cls.__codegen_record__
        if type(scanned) is not Block:
            scanned = as_part(scanned, Block, cls, "scanned")
        unrolled = record.data_fields["unrolled"].dynamic(unrolled, cls, "unrolled")
        key = record.key(cls, ())
        return record.unflatten(key, (scanned, unrolled))

    @classmethod
    def abstract(cls, *, layers: int, n: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return make_abstract(cls, layers=layers, n=n)


register_dataclass(
    Model,
    schema="schema.Model",
    data_fields={
        "scanned": donated(part(Block, given={}, stacked=("layers",))),
        "unrolled": dynamic(tuple_of(part(Block), size="layers")),
    },
    meta_fields={},
    key=_codegen_key_Model,
    flatten=_codegen_flatten_Model,
    unflatten=_codegen_unflatten_Model,
)
