@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Linear(_rt.ShapedPytree):

    w: Float32[Array, "n_in n_out"]  # donated

    def __new__(cls, w: ArrayLike) -> Self:
        w = _rt.as_array(w, "float32", cls, "w")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (w,))

    @classmethod
    def abstract(cls, *, n_in: int, n_out: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return _rt.make_abstract(cls, n_in=n_in, n_out=n_out)


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Square(_rt.ShapedPytree):

    linear: Linear  # dynamic

    def __new__(cls, linear: Linear) -> Self:
        if type(linear) is not Linear:
            linear = _rt.as_part(linear, Linear, cls, "linear")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (linear,))

    @classmethod
    def abstract(cls, *, n_in: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return _rt.make_abstract(cls, n_in=n_in)
