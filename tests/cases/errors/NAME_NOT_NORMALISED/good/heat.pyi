from codegen.schema import static

class Grid:
    temperatur_änderung: static[int]
    Δt: static[float]
