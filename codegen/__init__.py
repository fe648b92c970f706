"""Compile schemas, written as Python stubs, into pytree dataclasses for JAX.

    schemas/heat.pyi  ->  generated/heat.py

Each stage takes the values of the one before it and imports none that come after it:

    source -> schema -> program -> checked -> view -> rendered -> plan -> files
"""

__version__ = "0.1.0"
