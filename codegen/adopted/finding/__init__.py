"""Find the pytree classes of a package, and what is done with them, without importing it."""
