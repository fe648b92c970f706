"""How large a schema may be, for whoever reads files and for whoever judges them."""

SCHEMA_BYTES_MAX = 1 << 20
PATH_CHARACTERS_MAX = 4096
FOLDERS_MAX = 100
"""How many folders a schema may lie below, in the schema folder."""
# What `[tool.codegen] features` may name: parts of the support package that users import.
FEATURES = ("checkpoint", "export", "identities", "jit", "lift", "mesh")
