"""A package with tests inside, which pytest imports with its own loader."""
