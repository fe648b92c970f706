"""Find the source of a Python module below a project, without importing it.

    source("heat_model", ".")     # "def step(plate, dt): ..."; None where it is not there

A module may lie in the project's folder or in its `src`.
"""

from __future__ import annotations

import os

from codegen.files.read import regular


def source(module: str, base: str) -> str | None:
    """The text of a module, "heat.models", below the folder `base`; None where it cannot be read."""
    path = os.path.join(*module.split("."))
    for root in (base, os.path.join(base, "src")):
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            try:
                return regular(os.path.join(root, file)).decode("utf-8-sig")
            except (OSError, ValueError):
                continue
    return None
