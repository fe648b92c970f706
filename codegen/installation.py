"""The locations of the generator's own files, which may be in a zip.

    templates() / "module.py.jinja"   # of ".../site-packages/codegen/templates", or ".../templates"

In a checkout the templates are next to the package, where they are easy to find. A wheel puts them
into the package, so that an installation uses only one top-level name.
"""

from __future__ import annotations

import os
from importlib.resources import files
from importlib.resources.abc import Traversable


def package() -> Traversable:
    """Return the folder of the package `codegen`."""
    return files("codegen")


def templates() -> Traversable:
    """Return the folder of the templates."""
    inside = package() / "templates"
    return inside if inside.is_dir() else package() / ".." / "templates"


def places() -> list[str]:
    """Return the folders that contain all of these files, or the zip that does."""
    folder = os.path.dirname(os.path.abspath(__file__))
    if not os.path.isdir(folder):
        while not os.path.exists(folder):
            folder = os.path.dirname(folder)
        return [folder]
    beside = os.path.join(os.path.dirname(folder), "templates")
    return [folder] if os.path.isdir(os.path.join(folder, "templates")) else [folder, beside]
