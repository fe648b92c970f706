try:
    use_running_script("model")
    from model import Describing
except ImportError as error:
    # If one of them imports this module, too, the error explains what to do.
    explain(error, __name__)
    raise


check_mixins("Plate", Describing)


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(Describing, ShapedPytree):

    u: Float32[Array, ""]  # dynamic


register_dataclass(
    Plate,
    schema="schema.Plate",
    data_fields={"u": dynamic(array("float32"))},
    meta_fields={},
    key=_codegen_key_Plate,
    flatten=_codegen_flatten_Plate,
)


check_members(Plate)
