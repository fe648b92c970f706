from codegen.schema import dynamic, f32, impl

class Plate:
    u: dynamic[f32]

    @classmethod
    @impl("heat_model:cold")
    def cold(self) -> Plate: ...

    @staticmethod
    @impl("heat_model:warm")
    def warm(self, x: float) -> float: ...

    @impl("heat_model:at")
    def __call__(cls, x: float) -> float: ...

class Hot(Plate):
    @staticmethod
    @impl("heat_model:cold")
    def cold() -> Plate: ...

    @staticmethod
    @impl("heat_model:warm")
    def warm(x: str) -> float: ...
