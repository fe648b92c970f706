"""Decide what becomes of each class: a schema, or a reason to leave it as it is."""
