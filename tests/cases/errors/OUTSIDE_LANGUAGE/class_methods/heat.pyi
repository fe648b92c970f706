from codegen.schema import dynamic, f32, impl

class Plate:
    u: dynamic[f32]

    @classmethod
    def cold(cls) -> Plate: ...

    @classmethod
    @property
    @impl("heat_model:warm")
    def warm(cls) -> Plate: ...

    @staticmethod()
    @impl("heat_model:warmer")
    def warmer(x: float) -> float: ...

@staticmethod
@impl("heat_model:best")
def best(x: dynamic[f32]) -> f32: ...
