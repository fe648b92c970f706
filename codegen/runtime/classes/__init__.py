"""Classes: their bases, how JAX and this package know them, and arrays at the boundary."""
