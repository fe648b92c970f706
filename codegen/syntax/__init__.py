"""Bytes to the tree of one stub; everything outside the language is a diagnostic here.

    source = decode("schemas/heat.pyi", "heat", data)   # a Source, or what is wrong with the bytes
    module, report = read(source)                       # the tree, or None and why

The text is parsed and never executed: nothing here imports or evaluates what a schema says.
"""

from codegen.syntax.decode import decode
from codegen.syntax.nodes import Module
from codegen.syntax.read import read

__all__ = ["Module", "decode", "read"]
