"""How large a schema may be, for whoever reads files and for whoever judges them."""

from codegen import runtime

SCHEMA_BYTES_MAX = 1 << 20
PATH_CHARACTERS_MAX = 4096
FOLDERS_MAX = 100
"""How many folders a schema may lie below, in the schema folder."""
# What `[tool.codegen] features` may name: the runtime has it, which reads nothing of the rest.
FEATURES = runtime.FEATURES


class TooDeepError(RecursionError):
    """A schema is nested too deeply, or something finds no end in it; the text is its path."""
