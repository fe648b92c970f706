@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(Sized, _rt.Pytree):

    @classmethod
    def _codegen_create(cls, u: ArrayLike) -> Self:
        u = _rt.as_array(u, "float32", cls, "u")
        key = _rt.trace_key(cls, (), ())
        obj: Self = cls.__codegen_record__.unflatten(key, (u,))
        _rt.check_init(obj)
        return obj

    def replace(self, *, u: ArrayLike | _rt.Keep = _rt.KEEP) -> Self:
        """Return a copy with these fields replaced."""
        keep = _rt.KEEP
        return type(self)._codegen_create(self.u if u is keep else u)
