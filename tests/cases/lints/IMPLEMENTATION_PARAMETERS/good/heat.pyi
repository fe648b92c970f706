from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

n = Dim()

class Rod:
    u: donated[f32[n]] = field(init="model:started")
    v: donated[f32[n]] = field(init="model:drawn")
    floor: static[float] = 0.0

    @impl("model:Blends.blend")
    def blend(self, weight: float, floor: float) -> f32[n]: ...

    @impl("model:Blends.mixed")
    def mixed(self, weight: float, floor: float) -> f32[n]: ...

    @impl("model:Blends.scaled")
    def scaled(self, weight: float, floor: float) -> f32[n]: ...

    @property
    @impl("model:total")
    def total(self) -> float: ...

    @classmethod
    @impl("model:Size")
    def sized(cls, length: float, count: float) -> float: ...

    @classmethod
    @impl("model:Made")
    def made(cls, length: float, count: float) -> float: ...

    @classmethod
    @impl("model:Record")
    def record(cls, length: float, count: float) -> float: ...

    @staticmethod
    @impl("model:mean")
    def mean(low: float, high: float) -> float: ...

@impl("model:step")
def step(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:other_names")
def other_names(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:passed_on")
def passed_on(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:with_log")
def with_log(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:assigned")
def assigned(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:imported")
def imported(rod: donated[Rod], rate: dynamic[f32], dt: dynamic[f32]) -> Rod: ...

@impl("model:one")
def one(rate: dynamic[f32]) -> f32: ...

@impl("unknown_module:step")
def unknown(rod: donated[Rod], rate: dynamic[f32]) -> Rod: ...
