"""Decide what becomes of each class: a schema, or a reason why not."""
