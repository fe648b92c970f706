@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Source(_rt.Pytree):

    name: int | str  # static
    rate: Float32[Array, "..."] | None  # dynamic

    def __new__(cls, name: int | str, *, rate: ArrayLike | None = None) -> Self:
        if rate is not None:
            rate = _rt.as_array(rate, "float32", cls, "rate")
        name, name_tag = _rt.as_declared_static(name, cls, "name")
        values = (name,)
        tags = (name_tag,)
        key = _rt.trace_key(cls, values, tags)
        return cls.__codegen_record__.unflatten(key, (rate,))

    def replace(
        self,
        *,
        name: int | str | _rt.Keep = _rt.KEEP,
        rate: ArrayLike | None | _rt.Keep = _rt.KEEP,
    ) -> Self:
        """Return a copy with these fields replaced."""
        keep = _rt.KEEP
        return type(self)(
            self.name if name is keep else name,
            rate=self.rate if rate is keep else rate,
        )
