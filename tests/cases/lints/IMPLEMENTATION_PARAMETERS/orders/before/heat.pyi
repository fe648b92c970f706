from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

n = Dim()

class Rod:
    u: donated[f32[n]] = field(init="model:started")
    floor: static[float] = 0.0

    @impl("model:Blends.blend")
    def blend(self, weight: float, floor: float) -> f32[n]: ...

    @impl("model:Blends.mixed")
    def mixed(self, weight: float, floor: float) -> f32[n]: ...

    @impl("model:Blends.scaled")
    def scaled(self, weight: float, floor: float) -> f32[n]: ...

    @impl("model:minus")
    def __sub__(self, other: Rod) -> Rod: ...

    @classmethod
    @impl("model:Size")
    def sized(cls, length: float, count: float) -> float: ...

    @staticmethod
    @impl("model:mean")
    def mean(low: float, high: float) -> float: ...

@impl("model:step")
def step(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:compiled")
def compiled(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:named")
def named(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:more")
def more(rod: donated[Rod], dt: dynamic[f32]) -> Rod: ...
