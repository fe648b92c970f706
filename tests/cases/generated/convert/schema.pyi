from codegen.schema import field, static

class Grid:
    sizes: static[tuple[int, ...]] = field(convert="model:as_sizes")
