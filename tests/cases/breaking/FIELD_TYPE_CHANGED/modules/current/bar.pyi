"""Of two modules."""

from codegen.schema import static

from .other import Foo

class Bar:
    foo: static[Foo]  # material
