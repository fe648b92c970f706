from codegen.schema import static

from .a import Scheme

class B:
    scheme: static[Scheme] = Scheme.EXPLICIT
