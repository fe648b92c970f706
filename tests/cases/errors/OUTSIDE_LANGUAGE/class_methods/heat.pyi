from codegen.schema import dynamic, f32, impl

class Plate:
    u: dynamic[f32]

    @classmethod
    def cold(cls): ...

    @staticmethod
    @impl("heat_model:warm")
    def warm(x): ...
