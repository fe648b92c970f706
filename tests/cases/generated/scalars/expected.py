@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Clock(_rt.ShapedPytree):

    t: Float32[Array, ""]  # dynamic
    rate: float | Array  # dynamic
    ticks: int | Array  # dynamic
    seed: Key[Array, ""]  # dynamic

    def __new__(
        cls,
        *,
        t: ArrayLike = 0.0,
        rate: float | Array,
        ticks: int | Array = 0,
        seed: Key[Array, ""],
    ) -> Self:
        t = _rt.as_array(t, "float32", cls, "t")
        if type(rate) is not float:
            rate = _rt.as_scalar(rate, float, cls, "rate")
        if type(ticks) is not int:
            ticks = _rt.as_scalar(ticks, int, cls, "ticks")
        seed = _rt.as_array(seed, "key", cls, "seed")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (t, rate, ticks, seed))

    def replace(
        self,
        *,
        t: ArrayLike | _rt.Keep = _rt.KEEP,
        rate: float | Array | _rt.Keep = _rt.KEEP,
        ticks: int | Array | _rt.Keep = _rt.KEEP,
        seed: Key[Array, ""] | _rt.Keep = _rt.KEEP,
    ) -> Self:
        """Return a copy with these fields replaced."""
        keep = _rt.KEEP
        return type(self)(
            t=self.t if t is keep else t,
            rate=self.rate if rate is keep else rate,
            ticks=self.ticks if ticks is keep else ticks,
            seed=self.seed if seed is keep else seed,
        )


_rt.register_dataclass(
    Clock,
    schema="schema.Clock",
    data_fields={
        "t": _rt.dynamic(_rt.array("float32")),
        "rate": _rt.dynamic(float),
        "ticks": _rt.dynamic(int),
        "seed": _rt.dynamic(_rt.array("key")),
    },
    flatten=_codegen_flatten_Clock,
    unflatten=_codegen_unflatten_Clock,
)
