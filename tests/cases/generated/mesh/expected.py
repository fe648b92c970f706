class _Plate(ShardedPytree):
    """Builder class of `Plate`: the same slots, but not frozen."""


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(_Plate):

    u: Float32[Array, "nx"]  # donated
    table: Float32[Array, "3 4"]  # dynamic


register_dataclass(
    Plate,
    schema="schema.Plate",
    data_fields={
        "u": donated(array("float32", "nx")),
        "table": dynamic(array("float32", 3, 4, spec=(None, "cols"))),
    },
    meta_fields={},
    key=_codegen_key_Plate,
    flatten=_codegen_flatten_Plate,
    unflatten=_codegen_unflatten_Plate,
    mesh={"nx": "rows"},
)
