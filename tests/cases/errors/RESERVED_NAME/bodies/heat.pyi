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

    def __add__(self, other, /):
        return Plate(self.u + other.u, self.nx)

def __getattr__(name):
    return name
