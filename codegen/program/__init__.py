"""Resolve a schema into a program: names become references, classes get an order that works."""
