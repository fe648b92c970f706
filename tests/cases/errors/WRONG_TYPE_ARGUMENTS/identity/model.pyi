from codegen.schema import identity, static

class Model:
    a: static[identity]
    b: static[identity[int, str]]
