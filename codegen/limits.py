"""How large a schema may be, for whoever reads files and for whoever judges them."""

SCHEMA_BYTES_MAX = 1 << 20
