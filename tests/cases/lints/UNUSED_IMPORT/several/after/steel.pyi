from codegen.schema import static

class Steel:
    grade: static[str]

class Weld:
    length: static[float]
