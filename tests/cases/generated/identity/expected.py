from concurrent.futures import Executor


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_Model):

    executor: Executor
    function: Callable[[Float32[Array, ""]], Float32[Array, ""]] | None
    several: tuple[Executor, ...]

    def __new__(
        cls,
        executor: Executor,
        *,
        function: Callable[[Float32[Array, ""]], Float32[Array, ""]] | None = None,
        several: tuple[Executor, ...] = (),
    ) -> Self:
        record = cls.__codegen_record__
        key = record.key(cls, (executor, function, several))
        return record.unflatten(key, ())


def _codegen_key_Model(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    executor, function, several = values
    several, several_tag = cls.__codegen_record__.meta_fields["several"].static(
        several, cls, "several"
    )
    return intern_key(
        cls, (id(executor), id(function), several_tag), (executor, function, several)
    )


register_dataclass(
    Model,
    schema="schema.Model",
    data_fields={},
    meta_fields={
        "executor": identity,
        "function": optional(identity),
        "several": tuple_of(identity, ...),
    },
    key=_codegen_key_Model,
    unflatten=_codegen_unflatten_Model,
)
