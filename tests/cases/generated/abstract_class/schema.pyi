from codegen.schema import dynamic, f32, impl

class Law(abstract=True):
    @impl("model:pressure")
    def pressure(self) -> f32: ...

class Ideal(Law):
    gamma: dynamic[f32]
