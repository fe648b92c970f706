from codegen.schema import static

class Metal:
    name: static[str]
