nx = Dim()
T = TypeVar("T")
Alias: TypeAlias = int

class Scheme(Enum):
    EXPLICIT = 1

class Grid:
    order: ClassVar[int] = 3
    nx: static[int]
    ny: static[int]
    u: donated[f32] = field(init="zeros")
    share(u, nx)

@impl("heat_model:step")
def step(t: dynamic[f32]) -> f32: ...
