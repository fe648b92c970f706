"""Run a command with recorded constructors of a package's classes, and compare two such runs."""
