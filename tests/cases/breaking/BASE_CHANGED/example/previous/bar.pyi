from codegen.schema import static

class Solid(abstract=True):
    density: static[float]  # [kg/m^3]

class Steel(Solid):
    grade: static[str]
