"""Classes without methods: their import is among the others, in the order of isort."""

from typing import Any

from codegen.schema import Shaped, dynamic

class Run:
    """A run."""

    params: dynamic[Any]
    u: dynamic[Shaped[...] | float | None]

class Later:
    """From `heat.runs.Later`."""

    run: dynamic[Run | None]
