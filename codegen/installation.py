"""The version and the locations of the generator's own files, which may be in a zip.

    templates() / "module.py.jinja"   # of ".../site-packages/codegen/templates", or ".../templates"

In a checkout the templates are next to the package, where they are easy to find. A wheel puts them
into the package, so that an installation uses only one top-level name.

Another project on PyPI is called `codegen`. It also installs `codegen/__init__.py`, so the version is
defined here.
"""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable

DISTRIBUTION = "pytree-codegen"
__version__ = "1.0.0rc2"
_OTHER = "the PyPI project `codegen`, which installs a package of the same name"


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


def damage() -> tuple[str, ...]:
    """Explain what another distribution did to this package, line by line; empty if it did nothing.

    This takes no time, but the rest of the package works without its `__init__.py`. So only
    `--version` and unexpected errors report it.
    """
    found = getattr(sys.modules["codegen"], "__version__", "")
    if found == __version__:
        return ()
    return (
        f"the package `codegen` in `{os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}` is "
        f"damaged: `__init__.py` was {'overwritten' if found else 'deleted'}",
        f"This happens if you {'install' if found else 'uninstall'} {_OTHER}",
        f"Run `pip uninstall -y codegen`, then `pip install --force-reinstall --no-deps {DISTRIBUTION}`",
    )
