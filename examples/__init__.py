"""Programs that use generated classes: `python -m examples.digits`, say.

Each program `x` has a schema, `schemas/x.pyi`, and its physics or learning in
`x_model`, which the schema names and the generated module calls.
"""
