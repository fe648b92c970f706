from codegen.schema import identity, static

class Bar:
    name: static[identity[str]]  # of the material
