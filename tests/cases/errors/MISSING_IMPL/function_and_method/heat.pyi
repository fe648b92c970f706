from codegen.schema import dynamic, f32, static

class Grid:
    nx: static[int]

    def area(self) -> float: ...

    @property
    def size(self) -> int: ...

def step(t: dynamic[f32]) -> f32: ...
