"""Find the pytree classes of a package, and how they are used, without importing it."""
