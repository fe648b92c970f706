from codegen.schema import static

class Grid:
    """Equal cells."""

    nx: static[int]  # cells along x
    dx: static[float] = 0.01
