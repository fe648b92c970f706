@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_rt.ShapedPytree):

    scanned: Block  # donated, stacked
    unrolled: tuple[Block, ...]  # dynamic

    def __new__(cls, scanned: Block, unrolled: tuple[Block, ...]) -> Self:
        if type(scanned) is not Block:
            scanned = _rt.as_part(scanned, Block, cls, "scanned")
        unrolled = _rt.as_declared(unrolled, cls, "unrolled")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (scanned, unrolled))

    @classmethod
    def abstract(cls, *, layers: int, n: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return _rt.make_abstract(cls, layers=layers, n=n)
