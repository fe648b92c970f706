from codegen.schema import static

from ._src._private import Private

class Public:
    private: static[Private]
