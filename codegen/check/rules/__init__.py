"""The rules that a program must pass."""
