"""Advice about a checked program: what is legal, and likely a mistake.

lint(checked, trees, decls, DEFAULT, python)    ->    Report(UNUSED_DIMENSION ..., NEVER_DONATED ...)

A rule is a file of `rules/` and says one thing. What it finds are warnings; a build neither runs
it nor heeds it.
"""
