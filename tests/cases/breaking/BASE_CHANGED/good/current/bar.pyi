from codegen.schema import static

class Matter(abstract=True):
    """Anything."""

class Solid(Matter, abstract=True):
    density: static[float]

class Steel(Solid):
    grade: static[str]
