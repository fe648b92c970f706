from codegen.schema import dynamic, f32, impl

class Law(abstract=True):
    @impl("model:pressure")
    def pressure(self) -> f32: ...

class Ideal(Law):
    gamma: dynamic[f32]

class Gas(Law, abstract=True):
    molar_mass: dynamic[f32] = 0.029
