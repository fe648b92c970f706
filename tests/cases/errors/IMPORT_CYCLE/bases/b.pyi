from codegen.schema import static

from .a import A

class B:
    a: static[A] = A()
