from codegen.schema import static

class Solid(abstract=True):
    density: static[float]  # [kg/m^3]

class Steel:
    density: static[float]  # [kg/m^3]
    grade: static[str]
