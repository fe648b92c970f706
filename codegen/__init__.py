"""Compile schemas, written as Python stubs, into pytree dataclasses for JAX.

    schemas/heat.pyi  ->  generated/heat.py

Each stage takes the values of the one before it and imports none that come after it:

    source -> schema -> program -> checked -> view -> rendered -> plan -> files
"""

from codegen.installation import __version__ as __version__
