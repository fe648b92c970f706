import jax.numpy as jnp
from codegen.schema import Dim, f32

nx = Dim()

class Grid:
    nx: int
    dx: float = 0.01
    u: f32[nx]
    v: f23[nx]
    w: jnp.ndarray
    cells: tuple[int, ...]
    n = 3
    maybe: int | None = None
    maybe_too: Optional[int] = None

class Fixed:
    x: Final[int]
    y: Final[Final[float]]
    z: Final
