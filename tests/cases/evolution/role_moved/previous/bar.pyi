from codegen.schema import static

class Bar:
    a: static[str]
