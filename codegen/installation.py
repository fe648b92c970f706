"""Where the generator's own files lie, which may be in a zip.

    templates() / "module.py.jinja"   # of ".../site-packages/codegen/templates", or ".../templates"

In a checkout the templates stand beside the package, where they are easy to find; a wheel puts
them into it, so that an installation takes one top-level name and no more.
"""

from __future__ import annotations

import os
from importlib.resources import files
from importlib.resources.abc import Traversable


def package() -> Traversable:
    """The folder of the package `codegen`."""
    return files("codegen")


def templates() -> Traversable:
    """The folder of the templates."""
    inside = package() / "templates"
    return inside if inside.is_dir() else package() / ".." / "templates"


def places() -> list[str]:
    """The folders that hold all of this, or the zip that does."""
    folder = os.path.dirname(os.path.abspath(__file__))
    if not os.path.isdir(folder):
        while not os.path.exists(folder):
            folder = os.path.dirname(folder)
        return [folder]
    beside = os.path.join(os.path.dirname(folder), "templates")
    return [folder] if os.path.isdir(os.path.join(folder, "templates")) else [folder, beside]
