"""Of two modules."""

from codegen.schema import static

from .one import Foo

class Bar:
    foo: static[Foo]  # material
