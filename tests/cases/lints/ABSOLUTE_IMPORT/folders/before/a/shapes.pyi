from codegen.schema import static

class Round:
    radius: static[float]
