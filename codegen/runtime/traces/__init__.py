"""Which field made JAX trace a function again."""
