"""Rename a declaration: in the schemas, and in the Python code that uses the generated classes."""
