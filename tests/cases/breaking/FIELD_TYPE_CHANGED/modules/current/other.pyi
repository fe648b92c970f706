"""A material."""

from codegen.schema import static

class Foo:
    n: static[int]  # number
