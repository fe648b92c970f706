from codegen.schema import static

class Material:
    density: static[float]
