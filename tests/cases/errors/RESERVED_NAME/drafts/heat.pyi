from codegen.schema import dynamic, f32, impl

class Draft:
    at: dynamic[f32]
    freeze: dynamic[f32]
    next_key: dynamic[f32]
    At: dynamic[f32]

class Plate:
    Draft: dynamic[f32]

    @impl("heat_model:freeze")
    def freeze(self) -> f32: ...
