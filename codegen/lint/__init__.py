"""Lints: what is legal in a schema, and likely a mistake.

    lint(checked, trees, decls, DEFAULT, python)    ->    Report(UNUSED_DIMENSION ..., NEVER_DONATED ...)

A lint is a function in the module of its topic, and an entry of the table in `lint.py`. It reports
warnings. Builds do not run lints.
"""
