"""Lints: schemas that are legal but probably contain a mistake.

    lint(checked, trees, decls, DEFAULT, python)    ->    Report(UNUSED_DIMENSION ..., NEVER_DONATED ...)

A lint is a function in the module of its topic, and an entry in the table in `lint.py`. It reports
warnings. Builds do not run lints.
"""
