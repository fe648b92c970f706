from codegen.schema import static

class Solid(abstract=True):
    density: static[float]

class Steel(Solid):
    grade: static[str]
