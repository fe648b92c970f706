from codegen.schema import static

A0 = int
A1 = tuple[A0, A0]
A2 = tuple[A1, A1]
A3 = tuple[A2, A2]
A4 = tuple[A3, A3]
A5 = tuple[A4, A4]
A6 = tuple[A5, A5]
A7 = tuple[A6, A6]
A8 = tuple[A7, A7]
A9 = tuple[A8, A8]
A10 = tuple[A9, A9]
A11 = tuple[A10, A10]
A12 = tuple[A11, A11]

class Grid:
    x: static[A12]
