@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Layers(_rt.ShapedPytree):

    sizes: tuple[int, ...]  # static
    names: _rt.frozendict[str, int]  # static
    weights: dict[str, Float32[Array, "..."]]  # dynamic

    def __new__(
        cls,
        sizes: tuple[int, ...],
        names: _rt.frozendict[str, int],
        weights: dict[str, Float32[Array, "..."]],
    ) -> Self:
        weights = _rt.as_declared(weights, cls, "weights")
        sizes, sizes_tag = _rt.as_declared_static(sizes, cls, "sizes")
        names, names_tag = _rt.as_declared_static(names, cls, "names")
        values = (sizes, names)
        tags = (sizes_tag, names_tag)
        key = _rt.trace_key(cls, values, tags)
        return cls.__codegen_record__.unflatten(key, (weights,))
