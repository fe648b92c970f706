import equinox as eqx

from codegen.schema import impl, static

@eqx.nn.inference_mode
class Grid:
    import numpy

    class Inner:
        nx: static[int]

    print("hello")
    shar(a, b)

    @staticmethod
    @impl("heat_model:area")
    def area(self) -> float: ...

    @impl("heat_model:a")
    @impl("heat_model:b")
    def size(self) -> float: ...

    @some.decorator(3)
    @impl("heat_model:c")
    def third(self) -> float: ...
