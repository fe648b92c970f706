from codegen.schema import dynamic, f32, impl, static

class Scale:
    by: static[float]
    @impl("model:call")
    def __call__(self, x: f32) -> f32: ...
    @classmethod
    @impl("model:Scale.unit")
    def unit(cls) -> Scale: ...
    @staticmethod
    @impl("model:celsius")
    def celsius(cls: float) -> float: ...
