from codegen.schema import static

class Field:
    x: static[int]

class Scheme:
    a: static[int] = 1
