from codegen.schema import static

class H:
    n: static[int] = 1

H2 = H
