from concurrent.futures import Executor


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_rt.Static):

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
        several, several_tag = _rt.as_declared_static(several, cls, "several")
        values = (executor, function, several)
        tags = (id(executor), None if function is None else id(function), several_tag)
        return _rt.intern(cls, values, tags)
