from codegen.schema import static

class Steel:
    density: static[float]
