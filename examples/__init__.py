"""Example programs that use generated classes. Run one with `python -m examples.digits`.

Each program `x` has a schema, `schemas/x.pyi`, and its physics or learning in `x_model`. The schema names these
functions, and the generated module calls them.
"""
