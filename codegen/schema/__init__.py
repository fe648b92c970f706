"""The words that schemas import, and the code that reads a stub into declarations.

A schema is never executed, so the words do not exist at run time. Editors and type checkers find
them in the stub `__init__.pyi` in this folder.
"""
