from codegen.schema import static

class Steel:
    n: static[int]
