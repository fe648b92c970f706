@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(Sized, Pytree):

    @classmethod
    def _codegen_create(cls, u: ArrayLike) -> Self:
        record = cls.__codegen_record__
        if type(u) in CONVERTED or is_weak(u):
            u = as_array(u, "float32", cls, "u")
        key = record.key(cls, ())
        obj: Self = record.unflatten(key, (u,))
        check_init(obj)
        return obj

    def replace(self, *, u: ArrayLike | Keep = KEEP) -> Self:
        """Return a copy with these fields replaced."""
        return type(self)._codegen_create(self.u if u is KEEP else u)


install_init(Plate)
