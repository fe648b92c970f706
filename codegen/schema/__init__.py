"""What authors write: the words that schemas import (see `__init__.pyi`), and how a stub is read as declarations.

A schema is never executed, so at run time the words do not exist; editors find them in the stub beside this file.
"""
