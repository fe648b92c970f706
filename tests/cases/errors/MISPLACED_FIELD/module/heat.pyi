from codegen.schema import static

nx: static[int] = 3
dx: float
