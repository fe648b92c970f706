from codegen.schema import dynamic, f32, impl, static

class Plate:
    u: dynamic[f32]

    @property
    @impl("model:heat")
    def heat(self) -> f32: ...
    @impl("model:at")
    def at(self, i: int) -> f32: ...
