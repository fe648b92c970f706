"""Run a command with the constructors of a package's classes recorded, and compare two such runs."""
