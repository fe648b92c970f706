"""The words that schemas import, and how a stub is read as declarations.

A schema is never executed, so at run time the words do not exist: editors and type checkers find
them in the stub beside this file.
"""
