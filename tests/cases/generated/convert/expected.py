@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Grid(_rt.Static):

    sizes: tuple[int, ...]

    def __new__(cls, sizes: Any) -> Self:
        if isinstance(sizes, _rt.Converted):
            sizes = sizes.value
        else:
            from model import as_sizes as convert_sizes

            converted_sizes: tuple[int, ...] = convert_sizes(sizes)
            sizes = converted_sizes
        sizes, sizes_tag = _rt.as_declared_static(sizes, cls, "sizes")
        values = (sizes,)
        tags = (sizes_tag,)
        return _rt.intern(cls, values, tags)

    def replace(self, *, sizes: Any | _rt.Keep = _rt.KEEP) -> Self:
        """Return a copy with these fields replaced."""
        keep = _rt.KEEP
        return type(self)(_rt.Converted(self.sizes) if sizes is keep else sizes)
