from codegen.schema import dynamic, f32, static

class Plate:
    u: dynamic[f32]
    nx: static[int]

    def __init__(self, u, *sizes, **others):
        self.u = u
        for size in sizes:
            self.nx = size

    def __post_init__(self):
        if self.nx < 1:
            raise ValueError("nx")

    def __eq__(self, other, /):
        return self.u == other.u

def __getattr__(name): ...
