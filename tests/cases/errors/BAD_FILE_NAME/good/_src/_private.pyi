from codegen.schema import static

class Private:
    n: static[int]
